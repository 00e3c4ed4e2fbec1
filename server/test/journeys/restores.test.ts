import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { startService, TestClock, type TestService } from '../harness.ts';
import { PAYPAL_APP, PaypalServer } from '../paypal/server.ts';
import { openWorld, type World } from '../restored-world.ts';
import { WISE_ACCOUNT, WiseServer } from '../wise/server.ts';

const IBAN = 'DE89370400440532013000';
const BANK = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'DE',
  currency: 'USD',
  iban: IBAN,
};

const clock = new TestClock();
let wise: WiseServer;
let paypal: PaypalServer;
let services: [TestService, TestService];
let world: World;
beforeAll(async () => {
  wise = await WiseServer.start(clock);
  paypal = await PaypalServer.start();
  const providerHosts = {
    wise: { sandbox: wise.url, live: wise.url },
    paypal: { sandbox: paypal.url, live: paypal.url },
  };
  services = [
    await startService({ clock, providerHosts }),
    await startService({ clock, providerHosts }),
  ];
});
beforeEach(async () => {
  // Of the test before: nobody asks about its transfers any more, and it makes no others.
  const [{ database }] = services;
  await database.transaction((tx) => tx.script('update payouts set due_at = null'));
  wise.transfers.length = 0;
  paypal.batches.length = 0;
  world = await openWorld(...services);
});
afterAll(async () => {
  for (const service of services) await service.close();
  await wise.close();
  await paypal.close();
});

async function connect(method: 'wise' | 'paypal'): Promise<string> {
  const { workspaceId } = world.project;
  const environment = 'sandbox';
  const accounts = { wise: WISE_ACCOUNT, paypal: PAYPAL_APP };
  const { status, body } = await world.operate(
    'PUT',
    `/v1/workspaces/${workspaceId}/payout-connections`,
    { environment, method, [method]: accounts[method] },
  );
  expect([status, body]).toMatchObject([200, {}]);
  return body.data.id;
}

/** What has left the balance at Wise, in cents. */
const sentByWise = () =>
  wise.transfers.reduce((sum, one) => sum + one.funded * Math.round(one.targetValue * 100), 0);

const amountsByWise = () => wise.transfers.map((one) => Math.round(one.targetValue * 100));

function finishAtWise(): void {
  for (const one of wise.transfers) {
    if (one.status === 'processing') one.status = 'outgoing_payment_sent';
  }
}

async function expectVerified(): Promise<void> {
  const { database } = world.service;
  const { kept } = await verifyProject(database, world.project.projectId);
  expect(kept).toEqual([]);
}

/** What the auditor finds after all rows of this world's payouts were damaged, which is undone. */
async function findAfter(damage: string): Promise<string[]> {
  const payouts = 'select payout_id from payout_parts where project_id = $1';
  const column = damage.startsWith('update payouts ') ? 'id' : 'payout_id';
  const statement = `${damage} where ${column} in (${payouts}) returning 1`;
  const { projectId } = world.project;
  const found = await findDamage(world.service.database, projectId, statement);
  return found.map(({ subject, field }) => `${subject}: ${field}`);
}

describe('paid by Wise', () => {
  let since: string;
  beforeEach(async () => {
    await connect('wise');
    await world.save(BANK);
    await world.earn('1', '2');
    since = clock.now;
  });

  test('a restored store pays nothing until it is released', async () => {
    const backup = await world.backUp();
    const batchId = await world.draft('wise');
    expect((await world.act(batchId, 'approve')).status).toBe(200);
    const approved = await world.backUp();
    await world.restore(approved, since);
    for (const action of ['approve', 'submit'] as const) {
      const { status, body } = await world.act(batchId, action);
      expect([status, body.error.reason]).toEqual([409, 'store_restored']);
    }
    await world.service.runPayouts();
    expect(sentByWise()).toBe(0);
    expect((await world.release()).body.error.reason).toBe('checks_open');
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({
      canRelease: true,
      checks: [{ method: 'wise', status: 'asked', adopted: 0 }],
    });
    const released = await world.release();
    expect([released.status, released.body.data.status]).toEqual([200, 'released']);
    expect((await world.act(batchId, 'submit')).status).toBe(200);
    await world.service.runPayouts();
    expect(amountsByWise()).toEqual([2_000]);
    expect(backup.size).toBeGreaterThan(50);
  });

  test('a payout of rewards that the backup has, ordered after it, is not made again', async () => {
    const backup = await world.backUp();
    await world.pay('wise');
    finishAtWise();
    await world.service.runPayouts();
    expect(sentByWise()).toBe(2_000);
    clock.advance(HOUR_MS);
    await world.restore(backup, since);
    await world.earn('3');
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({
      transfers: [{ currency: 'USD', count: 1, amountMinor: '2000', leftMinor: '2000' }],
    });
    expect((await world.release()).status).toBe(200);
    // Three rewards are due here, and two of them were paid.
    const [payout] = await world.pay('wise');
    expect(payout.amountMinor).toBe('3000');
    finishAtWise();
    clock.advance(HOUR_MS);
    await world.service.runPayouts();
    expect(amountsByWise()).toEqual([2_000, 1_000]);
    const { body } = await world.read(`/v1/payouts/${payout.id}`);
    expect(body.data.status).toBe('paid');
    const { body: compared } = await world.read('/v1/reconciliation');
    expect(compared.data).toMatchObject([
      { verdict: 'even', believedMinor: '1000', reportedMinor: '1000' },
    ]);
    await expectVerified();
    expect(await findAfter('update payouts set covered_minor = 1999')).toEqual([
      'payout: covered_minor',
    ]);
    expect(await findAfter('update payout_advance_uses set amount_minor = 2001')).toEqual([
      'payout: covered_minor',
      'payout advance: uses',
    ]);
  });

  test('rewards of facts that come again under other ids are not paid again', async () => {
    const backup = await world.backUp();
    await world.earn('3', '4');
    await world.pay('wise');
    finishAtWise();
    await world.service.runPayouts();
    await world.restore(backup, since);
    await world.service.askRestores();
    expect((await world.release()).status).toBe(200);
    // The backend sends everything since the backup again.
    await world.earn('2', '3', '4');
    const [payout] = await world.pay('wise');
    expect(payout).toMatchObject({ amountMinor: '4000', status: 'paid' });
    expect(sentByWise()).toBe(4_000);
    await world.earn('5');
    await world.pay('wise');
    expect(amountsByWise()).toEqual([4_000, 1_000]);
    await expectVerified();
  });

  test('a batch that is approved in the backup and was sent after it is counted, not sent', async () => {
    const batchId = await world.draft('wise');
    await world.act(batchId, 'approve');
    const backup = await world.backUp();
    await world.act(batchId, 'submit');
    await world.service.runPayouts();
    finishAtWise();
    await world.restore(backup, since);
    await world.service.askRestores();
    const { body } = await world.read(`/v1/payout-batches/${batchId}`);
    expect(body.data.status).toBe('cancelled');
    expect((await world.release()).status).toBe(200);
    const [payout] = await world.pay('wise');
    expect(payout).toMatchObject({ amountMinor: '2000', status: 'paid' });
    expect(sentByWise()).toBe(2_000);
    await expectVerified();
  });

  test('what was approved before, and cancelled and paid by another batch after, is not paid twice', async () => {
    const batchId = await world.draft('wise');
    await world.act(batchId, 'approve');
    const backup = await world.backUp();
    await world.post(`/v1/payout-batches/${batchId}/cancel`);
    await world.pay('wise');
    finishAtWise();
    await world.restore(backup, since);
    await world.service.askRestores();
    expect((await world.release()).status).toBe(200);
    expect((await world.act(batchId, 'submit')).status).toBe(200);
    await world.service.runPayouts();
    expect(sentByWise()).toBe(2_000);
    const { body } = await world.read('/v1/payouts', { batchId });
    expect(body.data).toMatchObject([{ status: 'paid', amountMinor: '2000' }]);
    await expectVerified();
  });

  test('an order of which the backup does not know whether it was sent is looked up', async () => {
    const batchId = await world.draft('wise');
    await world.act(batchId, 'approve');
    await world.act(batchId, 'submit');
    const backup = await world.backUp();
    await world.service.runPayouts();
    finishAtWise();
    await world.restore(backup, since);
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({ checks: [{ adopted: 0 }], transfers: [] });
    expect((await world.release()).status).toBe(200);
    await world.service.runPayouts();
    expect(sentByWise()).toBe(2_000);
    const { body } = await world.read('/v1/payouts', { batchId });
    expect(body.data).toMatchObject([{ status: 'paid' }]);
    await expectVerified();
  });

  test('a transfer that came back was not kept by anybody: it is paid again', async () => {
    const backup = await world.backUp();
    await world.pay('wise');
    for (const one of wise.transfers) one.status = 'funds_refunded';
    await world.restore(backup, since);
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({ transfers: [] });
    await world.release();
    await world.pay('wise');
    expect(amountsByWise()).toEqual([2_000, 2_000]);
  });

  test('a transfer to an account that nobody has here has to be assigned, or accepted', async () => {
    const empty = await world.backUp();
    await world.earn('3');
    await world.pay('wise');
    finishAtWise();
    // In this backup ada has not saved where she is paid.
    const rows = new Map(empty).set('payout_details', '[]');
    await world.restore(rows, since);
    await world.service.askRestores();
    const refused = await world.release();
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'advances_unassigned']);
    const { id } = await world.held();
    const { body: list } = await world.operate('GET', `${world.path}/${id}/transfers`);
    expect(list.data).toMatchObject([
      { payee: null, account: 'DE•• •••• 3000', leftMinor: '3000' },
    ]);
    const [advance] = list.data;
    const { projectId, workspaceId } = world.project;
    const { body: people } = await world.read('/v1/participants', { externalId: 'ada' });
    const participantId = people.data[0].id;
    const path = `/v1/workspaces/${workspaceId}/payout-advances/${advance.id}`;
    const assigned = await world.operate('POST', `${path}/assign`, {
      projectId,
      participantId,
      reason: 'the name at Wise',
    });
    expect(assigned.body.data).toMatchObject({ payee: { participantId }, status: 'counted' });
    expect((await world.release()).status).toBe(200);
    // She saves another account: it is still hers.
    await world.save({ ...BANK, iban: 'DE02120300000000202051' });
    await world.earn('3', '4');
    await world.pay('wise');
    expect(amountsByWise()).toEqual([3_000, 1_000]);
    const { body: after } = await world.operate('GET', `${world.path}/${id}/transfers`);
    expect(after.data).toMatchObject([{ leftMinor: '0', uses: [{ amountMinor: '3000' }] }]);
    await expectVerified();
  });

  test('an accepted transfer counts once somebody is paid to the same account', async () => {
    const empty = await world.backUp();
    await world.pay('wise');
    finishAtWise();
    await world.restore(new Map(empty).set('payout_details', '[]'), since);
    await world.service.askRestores();
    expect((await world.release({ acceptUnassigned: true })).status).toBe(200);
    await world.save(BANK);
    await world.pay('wise');
    expect(sentByWise()).toBe(2_000);
  });

  test('a dismissed transfer does not count', async () => {
    const backup = await world.backUp();
    await world.pay('wise');
    await world.restore(backup, since);
    await world.service.askRestores();
    const { id } = await world.held();
    const { body } = await world.operate('GET', `${world.path}/${id}/transfers`);
    const path = `/v1/workspaces/${world.project.workspaceId}/payout-advances/${body.data[0].id}`;
    await world.operate('POST', `${path}/dismiss`, { reason: 'of the staging store' });
    await world.release();
    await world.pay('wise');
    expect(amountsByWise()).toEqual([2_000, 2_000]);
  });

  test('of an erased person no account remains', async () => {
    const backup = await world.backUp();
    await world.pay('wise');
    await world.restore(backup, since);
    await world.service.askRestores();
    const { id } = await world.held();
    const transfers = `${world.path}/${id}/transfers`;
    const { body: before } = await world.operate('GET', transfers);
    expect(before.data).toMatchObject([{ account: 'DE•• •••• 3000' }]);
    const { body: people } = await world.read('/v1/participants', { externalId: 'ada' });
    const { projectId, key } = world.project;
    const path = `/v1/participants/${people.data[0].id}`;
    const query = { projectId, force: 'true' };
    const erased = await world.service.call('DELETE', path, { as: key, query });
    expect([erased.status, erased.body]).toMatchObject([200, {}]);
    const { body: after } = await world.operate('GET', transfers);
    expect(after.data).toMatchObject([{ account: null, amountMinor: '2000' }]);
    await expectVerified();
  });

  test('a returned payout gives its advance back', async () => {
    const backup = await world.backUp();
    await world.pay('wise');
    finishAtWise();
    await world.restore(backup, since);
    await world.earn('3');
    await world.service.askRestores();
    await world.release();
    await world.pay('wise');
    expect(amountsByWise()).toEqual([2_000, 1_000]);
    const second = wise.transfers[1];
    if (second) second.status = 'funds_refunded';
    clock.advance(HOUR_MS);
    await world.service.runPayouts();
    await world.save({ ...BANK, iban: 'DE02120300000000202051' });
    clock.advance(DAY_MS);
    await world.pay('wise');
    expect(amountsByWise()).toEqual([2_000, 1_000, 1_000]);
    await expectVerified();
  });

  test('as long as the provider does not answer it is asked, and only a recorded reason goes past it', async () => {
    const backup = await world.backUp();
    await world.restore(backup, since);
    wise.fault('list', 503);
    await world.service.askRestores();
    const { id, checks } = await world.held();
    expect(checks).toMatchObject([{ status: 'failed', askedAt: null }]);
    expect((await world.release()).body.error.reason).toBe('checks_open');
    const { connectionId } = checks[0];
    const override = `${world.path}/${id}/checks/${connectionId}/override`;
    expect((await world.operate('POST', override, {})).status).toBe(400);
    await world.operate('POST', override, { reason: 'nothing was paid' });
    expect((await world.release()).status).toBe(200);
    const { body } = await world.operate(
      'GET',
      `/v1/audit-log?workspaceId=${world.project.workspaceId}&targetId=${id}`,
    );
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'restore.release',
      'restore.override',
      'restore.declare',
    ]);
  });

  test('a failed question is repeated by itself, and a repeat records nothing twice', async () => {
    const backup = await world.backUp();
    await world.pay('wise');
    await world.restore(backup, since);
    wise.fault('list', 503);
    await world.service.askRestores();
    clock.advance(HOUR_MS);
    await world.service.askRestores();
    const { id } = await world.held();
    await world.operate('POST', `${world.path}/${id}/ask`);
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({
      checks: [{ status: 'asked', adopted: 1 }],
      transfers: [{ count: 1, amountMinor: '2000' }],
    });
  });
});

describe('paid by Wise, in a list of several pages', () => {
  test('a list that broke off continues at the page that is missing', async () => {
    await connect('wise');
    await world.save(BANK);
    await world.earn('1');
    const since = clock.now;
    const backup = await world.backUp();
    await world.pay('wise');
    const [own] = wise.transfers;
    if (!own) throw new Error('Nothing was sent.');
    // Transfers that people made since then, on the first page.
    for (let n = 0; n < 100; n += 1) {
      wise.transfers.push({ ...own, id: own.id + 1 + n, customerTransactionId: randomUUID() });
    }
    await world.restore(backup, since);
    const before = wise.pages;
    wise.fault('list', 503, 1);
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({ checks: [{ status: 'failed', adopted: 0 }] });
    clock.advance(HOUR_MS);
    await world.service.askRestores();
    expect(await world.held()).toMatchObject({ checks: [{ status: 'asked', adopted: 1 }] });
    expect(wise.pages - before).toBe(2);
  });
});

describe('paid by PayPal, which lists nothing', () => {
  test('what is added by its id counts; the account has to be overridden', async () => {
    const connectionId = await connect('paypal');
    await world.save({ type: 'paypal', email: 'ada@example.com' });
    await world.earn('1', '2');
    const since = clock.now;
    const backup = await world.backUp();
    await world.pay('paypal');
    const [batch] = paypal.batches;
    if (batch) batch.status = 'SUCCESS';
    await world.restore(backup, since);
    await world.service.askRestores();
    const { id, checks } = await world.held();
    expect(checks).toMatchObject([{ method: 'paypal', status: 'cannot_list' }]);
    const reference = batch?.id;
    const add = () =>
      world.operate('POST', `${world.path}/${id}/transfers`, {
        connectionId,
        references: [reference, 'NOSUCHBATCH'],
      });
    expect((await add()).body.data).toEqual([
      { reference, result: 'recorded' },
      { reference: 'NOSUCHBATCH', result: 'not_found' },
    ]);
    await add();
    await world.operate('POST', `${world.path}/${id}/checks/${connectionId}/override`, {
      reason: 'added all batches since the backup',
    });
    expect((await world.release()).status).toBe(200);
    const [payout] = await world.pay('paypal');
    expect(payout).toMatchObject({ status: 'paid', amountMinor: '2000' });
    expect(paypal.batches).toHaveLength(1);
    await expectVerified();
  });
});

describe('who may', () => {
  test('another workspace’s restores, connections and advances do not exist', async () => {
    await connect('wise');
    await world.save(BANK);
    await world.earn('1');
    const since = clock.now;
    const backup = await world.backUp();
    await world.pay('wise');
    await world.restore(backup, since);
    await world.service.askRestores();
    const { id, checks } = await world.held();
    const { body } = await world.operate('GET', `${world.path}/${id}/transfers`);
    const { workspaceId } = await world.service.newProject();
    const other = `/v1/workspaces/${workspaceId}`;
    const calls = [
      ['GET', `${other}/restores/${id}`],
      ['GET', `${other}/restores/${id}/transfers`],
      ['POST', `${other}/restores/${id}/ask`],
      ['POST', `${other}/restores/${id}/release`, {}],
      [
        'POST',
        `${other}/restores/${id}/checks/${checks[0].connectionId}/override`,
        { reason: 'x' },
      ],
      ['POST', `${other}/payout-advances/${body.data[0].id}/dismiss`, { reason: 'x' }],
    ] as const;
    for (const [method, path, input] of calls) {
      expect([path, (await world.operate(method, path, input)).status]).toEqual([path, 404]);
    }
    expect((await world.operate('GET', `${other}/restores`)).body.data).toEqual([]);
  });

  test('a declaration in the future is refused; a second one takes the earlier time', async () => {
    const declare = (since: string) => world.operate('POST', world.path, { since });
    expect((await declare('2099-01-01T00:00:00.000Z')).status).toBe(400);
    const { body: first } = await declare('2026-11-15T02:00:00.000Z');
    const { body: later } = await declare('2026-11-15T03:00:00.000Z');
    const { body: earlier } = await declare('2026-11-15T01:00:00.000Z');
    expect(later.data).toMatchObject({ id: first.data.id, since: '2026-11-15T02:00:00.000Z' });
    expect(earlier.data).toMatchObject({ id: first.data.id, since: '2026-11-15T01:00:00.000Z' });
  });
});
