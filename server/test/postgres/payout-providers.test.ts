import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderHosts } from '../../src/outbound/integrations/providers.ts';
import { createFindProvider } from '../../src/outbound/integrations/providers.ts';
import { transactionIdOf } from '../../src/outbound/integrations/wise/read-transfer.ts';
import type { Details } from '../../src/outbound/payouts/details/details.ts';
import { saveDetails } from '../../src/outbound/payouts/details/save-details.ts';
import type { PayoutDeps } from '../../src/outbound/payouts/payout-deps.ts';
import { runPayoutsOnce } from '../../src/outbound/payouts/worker.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { copyPostgres } from '../database.ts';
import { ROOT_KEY, startService, TestClock, type TestService } from '../harness.ts';
import { copyAda, copyReward, expectPayoutRules, paidOf } from '../many-rewards.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { PAYPAL_APP, type PaypalFault, PaypalServer } from '../paypal/server.ts';
import { childProgram } from '../process.ts';
import { rounds } from '../rounds.ts';
import { WISE_ACCOUNT, WiseServer } from '../wise/server.ts';

const CHILD = childProgram('payout-worker');
const LEASE_MS = 5 * 60_000;
const keyring = createKeyring(ROOT_KEY);

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let service: TestService;
let paypal: PaypalServer;
let wise: WiseServer;
let hosts: ProviderHosts;
const children: ChildProcess[] = [];
beforeAll(async () => {
  const clock = new TestClock();
  copy = await copyPostgres();
  paypal = await PaypalServer.start();
  wise = await WiseServer.start(clock);
  const both = (url: string) => ({ sandbox: url, live: url });
  hosts = { paypal: both(paypal.url), wise: both(wise.url), stripe: null };
  const database = createDatabase(
    openPostgres({ connectionString: copy.url, poolSize: 10, onIdleError: () => undefined }),
  );
  service = await startService({ clock, database, providerHosts: hosts });
});
afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await service.close();
  await Promise.all([paypal.close(), wise.close()]);
  await copy.drop();
});

const fail = (error: unknown) => {
  throw error;
};

async function connect({ project }: PayoutShop): Promise<void> {
  const environment = 'sandbox';
  for (const body of [
    { environment, method: 'paypal', paypal: PAYPAL_APP },
    { environment, method: 'wise', wise: WISE_ACCOUNT },
  ]) {
    const path = `/v1/workspaces/${project.workspaceId}/payout-connections`;
    expect((await service.call('PUT', path, { as: 'operator', body })).status).toBe(200);
  }
}

/** Whose ada has saved these details. */
async function openConnectedShop(details: Details): Promise<PayoutShop> {
  const shop = await openPayoutShop(service);
  service.payees.forget(shop.adaId);
  await connect(shop);
  const { projectId, workspaceId } = shop.project;
  const owner = { kind: 'participant', projectId, id: shop.adaId } as const;
  const { newId } = service.dispatchDeps;
  await service.database.transaction((tx) =>
    saveDetails({ tx, now: service.clock.now, newId }, keyring, owner, { workspaceId, details }),
  );
  return shop;
}

const PAYPAL: Details = { type: 'paypal', email: 'ada@example.com' };
const BANK: Details = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'DE',
  currency: 'USD',
  iban: 'DE89370400440532013000',
  bic: null,
};

/** What another process would work with: only the database and the providers are the same. */
function anotherProcess(): PayoutDeps {
  const { database, clock, payoutDeps } = service;
  const newId = makeNewId(clock.nowMs);
  const writer = createProjectWriter({
    fanOut: queueDeliveries,
    database,
    clock,
    newId,
    queueMax: 1_000,
  });
  const { reads } = database;
  const findProvider = createFindProvider({ reads, keyring, clock, hosts });
  return { ...payoutDeps, newId, writer, findProvider };
}

/** A worker in a process of its own, for as long as it lives. */
function startChild(): ChildProcess {
  const { clock } = service;
  const args = [copy.url, ROOT_KEY.toString('base64'), String(clock.nowMs())];
  const child = spawn(process.execPath, [CHILD, ...args, JSON.stringify(hosts)], {
    stdio: 'inherit',
  });
  children.push(child);
  return child;
}

async function expectPaidOnce(shop: PayoutShop, payoutId: string): Promise<void> {
  const { body } = await shop.read(`/v1/payouts/${payoutId}`);
  expect(body.data).toMatchObject({ status: 'paid', amountMinor: '1000' });
  const told = (await shop.feed()).filter(({ type }) => type.startsWith('payout.'));
  expect(told.map(({ type }) => type)).toEqual(['payout.paid']);
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
}

describe('killed between the call and its writing down', () => {
  test('PayPal is asked, and has paid once', async () => {
    const shop = await openConnectedShop(PAYPAL);
    await shop.earn('order');
    const { id } = (await shop.submit({ method: 'paypal' })).payouts[0];
    const carriedOut = paypal.hang();
    const child = startChild();
    await carriedOut;
    child.kill('SIGKILL');
    await once(child, 'exit');
    paypal.batch(`${id}_1`).status = 'SUCCESS';
    // The dead one's lease protects it until then.
    await service.runPayouts();
    expect((await shop.read(`/v1/payouts/${id}`)).body.data.status).toBe('processing');
    service.clock.advance(LEASE_MS);
    await service.runPayouts();
    await expectPaidOnce(shop, id);
    expect(paypal.batches.filter(({ key }) => key.startsWith(id))).toHaveLength(1);
  });

  test.each(['recipient', 'quote', 'transfer', 'fund'] as const)(
    'Wise, at the %s, is asked, and has paid once',
    async (step) => {
      const shop = await openConnectedShop(BANK);
      await shop.earn('order');
      const { id } = (await shop.submit({ method: 'wise' })).payouts[0];
      const carriedOut = wise.hang(step);
      const child = startChild();
      await carriedOut;
      child.kill('SIGKILL');
      await once(child, 'exit');
      service.clock.advance(LEASE_MS);
      await service.runPayouts();
      const transfer = wise.transfer(transactionIdOf(`${id}_1`));
      expect(transfer.funded).toBe(1);
      transfer.status = 'outgoing_payment_sent';
      service.clock.advance(LEASE_MS);
      await service.runPayouts();
      await expectPaidOnce(shop, id);
    },
  );
});

test('two workers on the same payouts, with every fault there is: each is paid once, none is forgotten', {
  timeout: 300_000,
}, async () => {
  const shop = await openConnectedShop(PAYPAL);
  // As many lines for each of a hundred payees, of 10 dollars each.
  const lines = 100 * rounds(10, 100);
  await copyAda(service, shop, 99);
  for (let n = 1; n <= 99; n += 1) service.payees.set(`${shop.adaId}_${n}`, PAYPAL);
  await copyReward(
    service,
    shop,
    lines - 1,
    `beneficiary_participant_id || case when n % 100 = 0 then '' else '_' || n % 100 end`,
  );
  const { payouts, shown } = await shop.submit({ method: 'paypal' });
  expect(shown.totals[0]).toMatchObject({ amountMinor: String(lines * 1_000), payoutCount: 100 });
  expect(payouts).toHaveLength(100);
  const faults: PaypalFault[] = [
    'lost_answer',
    'lost_order',
    'server_error',
    'throttled',
    'conflict',
    'no_funds',
    'cannot_say',
  ];
  paypal.fault(...Array.from({ length: 10 }, () => faults).flat());
  const ours = () =>
    paypal.batches.filter(({ key }) => payouts.some(({ id }) => key.startsWith(`${id}_`)));
  const workers = [anotherProcess(), anotherProcess()];
  const failUnlessReported = (error: unknown) => {
    if (!(error instanceof Error && error.message.endsWith(': no answer.'))) fail(error);
  };
  for (let round = 0; round < 200; round += 1) {
    const done = await Promise.all(workers.map((deps) => runPayoutsOnce(deps, failUnlessReported)));
    for (const batch of ours()) batch.status = 'SUCCESS';
    const { paid } = (await paidOf(service, shop)) ?? { paid: 0n };
    if (paid === BigInt(lines * 1_000)) break;
    if (done.every((count) => count === 0)) service.clock.advance(LEASE_MS);
  }
  expect(await paidOf(service, shop)).toEqual({
    paid: BigInt(lines * 1_000),
    rewards: BigInt(lines),
  });
  // The ledger of the provider is the truth: a transfer for each payee, of all that is owed.
  expect(ours()).toHaveLength(100);
  expect(new Set(ours().map(({ item }) => item.sender_item_id)).size).toBe(100);
  const sum = ours().reduce((total, { item }) => total + Number(item.amount.value), 0);
  expect(sum).toBe(lines * 10);
  await expectPayoutRules(service, shop);
});
