import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WriteRequest } from '../../src/platform/http/access/principal.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { eraseInProject } from '../../src/surfaces/privacy/erase-participant.ts';
import { resumeErasures } from '../../src/surfaces/privacy/worker.ts';
import { newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { type Receiver, receiveHttp } from '../receiver.ts';
import { invoice } from '../stripe-events.ts';
import { openStripeShop } from '../stripe-shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

/** Every word that is planted has it, and nothing else: too long to stand in a hash by chance. */
const MARK = 'zqxvmark';

let service: TestService;
let receiver: Receiver;
/** What the receiver answers with: whom it knows the person as. */
let answer = '';
beforeAll(async () => {
  service = await openService();
  receiver = await receiveHttp((_request, response) => void response.writeHead(200).end(answer));
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** Where a text stands: every column of every table that can hold one. */
async function findMarks(mark: string): Promise<string[]> {
  const { reads } = service.database;
  const columns = await reads.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t
       on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
     order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await reads.query<{ count: bigint }>(
      `select count(*) as count from "${table}" where "${column}"::text ilike $1`,
      [`%${mark}%`],
    );
    if (row && row.count > 0n) found.push(`${table}.${column}`);
  }
  return found;
}

function systemRequest({ workspaceId, projectId }: TestProject): WriteRequest {
  const actor = { type: 'system', id: 'test' } as const;
  return { workspaceId, projectId, actor, requestId: 'req_test', ip: null, idempotency: null };
}

const erase = (projectId: string, as: string, id: string, force = true) =>
  service.call('DELETE', `/v1/participants/${id}`, { as, query: { projectId, force } });

async function name(shop: PayoutShop, externalId: string, more: object) {
  const { projectId, key: as } = shop.project;
  const participant = { kind: 'individual', externalId };
  const told = await service.call('PUT', '/v1/participants', {
    as,
    body: { projectId, participant, ...more },
  });
  expect(told.status).toBe(200);
  return told.body.data.id as string;
}

test('nothing that was said of a participant is left in any table (D-PART-5)', async () => {
  const shop = await openPayoutShop(service);
  const { projectId, key } = shop.project;
  await shop.post('/v1/webhook-endpoints', { url: `http://127.0.0.1:${receiver.port}/` });
  await name(shop, 'ada', { name: `${MARK} Early`, email: `${MARK}-early@example.com` });
  answer = `{"granted to": "${MARK} Early <${MARK}-early@example.com>"}`;
  const [voided = '', failed = ''] = await shop.earn('o-1', 'o-2');
  await service.dispatch();
  expect(await findMarks(MARK)).toContain('webhook_attempts.response_body');
  await name(shop, 'ada', {
    name: `${MARK} Later`,
    email: `${MARK}-later@example.com`,
    billingId: `cus_${MARK}`,
  });
  const reason = `${MARK} Early is the neighbour of bob`;
  const done = await shop.post(`/v1/rewards/${voided}/void`, { reasonCode: 'fraud', reason });
  expect(done.status).toBe(200);
  const batch = await shop.submit();
  const [payout] = batch.payouts;
  const result = await shop.result(payout.id, 'failed', {
    failureReason: 'account_closed',
    failureMessage: `The account of ${MARK} was closed`,
  });
  expect(result.status).toBe(200);
  await service.runPayouts();
  const properties = { note: MARK };
  const participant = { kind: 'individual', externalId: 'ada' };
  const event = { type: 'custom_seen', participant, sourceEventId: 'seen', properties };
  const { sourceNamespaceId } = shop;
  expect((await shop.post('/v1/track/events', { sourceNamespaceId, ...event })).status).toBe(200);
  const code = { participant, programId: shop.programId, code: `${MARK}-code` };
  expect((await shop.post('/v1/referral-codes', code)).status).toBe(200);
  const link = { participant, programId: shop.programId, slug: `${MARK}-link` };
  expect((await shop.post('/v1/referral-links', link)).status).toBe(200);
  await service.dispatch();
  // What follows brings news of others, too.
  answer = '';
  const actor = { type: 'custom_led', participant: { kind: 'group', externalId: 'crew' } };
  const led = { ...actor, actor: participant, sourceEventId: 'led', properties };
  expect((await shop.post('/v1/track/events', { sourceNamespaceId, ...led })).status).toBe(200);
  const subscription = await shop.post('/v1/track/subscriptions', {
    sourceNamespaceId,
    sourceEventId: 'sub-1-started',
    participant,
    subscriptionId: 'sub-1',
    change: 'started',
    planKey: `${MARK} family`,
    occurredAt: service.clock.now,
  });
  expect(subscription.status).toBe(200);
  const clicked = await service.call('POST', '/v1/clicks', {
    as: 'nobody',
    body: {
      projectKey: shop.project.projectKey,
      ref: `${MARK}-link`,
      url: `https://example.com/${MARK}`,
    },
  });
  expect([clicked.status, clicked.body]).toMatchObject([200, {}]);
  const reference = { key: `${MARK}-reference-0123456789abcdef` };
  const { handle } = clicked.body;
  expect((await shop.post('/v1/identify', { handle, reference })).status).toBe(200);
  expect((await shop.post('/v1/identify', { reference, participant })).status).toBe(200);
  const { secret } = await newWidgetSecret(service, shop.project);
  const token = await makeSigner(service, shop.project, secret)();
  const details = { type: 'wise', email: `${MARK}@example.com` };
  const saved = await service.call('PUT', '/v1/widget/payout-details', {
    as: 'nobody',
    headers: { authorization: `Bearer ${token}` },
    body: { projectId, details },
  });
  expect([saved.status, saved.body]).toMatchObject([200, {}]);
  await service.dispatch();
  const before = await findMarks(MARK);
  for (const place of [
    'events.normalized_facts',
    'feed_events.data',
    'participants.billing_id',
    'participants.email',
    'participants.name',
    'payout_parts.failure_message',
    'payouts.failure_message',
    'ref_codes.code',
    'ref_links.slug',
    'handle_references.key',
    'rewards.void',
    'subscription_facts.plan_key',
    'webhook_attempts.response_body',
  ]) {
    expect(before).toContain(place);
  }
  expect((await erase(projectId, key, shop.adaId)).status).toBe(200);
  expect(await findMarks(MARK)).toEqual([]);
  // What accounts need stays.
  expect((await shop.reward(voided)).void).toMatchObject({ reasonCode: 'fraud', reason: null });
  expect((await shop.reward(failed)).id).toBe(failed);
  const paid = await shop.read(`/v1/payouts/${payout.id}`);
  expect(paid.body.data).toMatchObject({ status: 'failed', failureReason: 'account_closed' });
  const voidedEvent = (await shop.feed()).find(({ type }) => type === 'reward.voided');
  expect(voidedEvent?.data.reward.void).toMatchObject({ reasonCode: 'fraud', reason: null });
});

test('what was said of whom they brought goes with these, and of nobody else', async () => {
  const shop = await openPayoutShop(service);
  const { projectId, key } = shop.project;
  const [first = ''] = await shop.earn('o-1');
  const reason = `bob is called ${MARK}`;
  await shop.post(`/v1/rewards/${first}/void`, { reasonCode: 'fraud', reason });
  const cy = await name(shop, 'cy', { name: 'Cy' });
  await erase(projectId, key, cy);
  expect(await findMarks(MARK)).toEqual(['feed_events.data', 'rewards.void']);
  const { body } = await shop.read('/v1/participants', { externalId: 'bob' });
  await erase(projectId, key, body.data[0].id);
  expect(await findMarks(MARK)).toEqual([]);
});

test('a refused erasure leaves everything as it was', async () => {
  const shop = await openPayoutShop(service);
  const { projectId, key } = shop.project;
  const [first = ''] = await shop.earn('o-1', 'o-2');
  await shop.post(`/v1/rewards/${first}/void`, { reasonCode: 'fraud', reason: `${MARK} 1` });
  expect((await erase(projectId, key, shop.adaId, false)).status).toBe(409);
  expect(await findMarks(`${MARK} 1`)).toEqual(['feed_events.data', 'rewards.void']);
  await erase(projectId, key, shop.adaId);
  expect(await findMarks(MARK)).toEqual([]);
});

test('nothing that was said of a Partner is left, once the last Project erased it (D-PAY-5)', async () => {
  const project = await service.newProject();
  const email = `${MARK}@example.com`;
  const one = await openAffiliateShop(service, project, email);
  const two = await openAffiliateShop(service, await newSibling(service, project), email);
  const path = `/v1/partners/${one.partnerId}`;
  const suspended = await service.call('POST', `${path}/suspend`, {
    as: 'operator',
    body: { reason: `${MARK} bids on our name` },
  });
  expect(suspended.status).toBe(200);
  const before = await findMarks(MARK);
  expect(before).toContain('audit_entries.changes');
  expect(before).toContain('partners.suspension_reason');
  for (const { project: shop, participantId } of [one, two]) {
    expect((await erase(shop.projectId, shop.key, participantId)).status).toBe(200);
  }
  expect(await findMarks(MARK)).toEqual([]);
});

test('nothing of an imported row is left, nor of who stood in it', async () => {
  const shop = await openPayoutShop(service);
  const { projectId, key } = shop.project;
  const row = {
    externalId: `${MARK}-1`,
    name: `${MARK} Imported`,
    email: `${MARK}@example.com`,
    billingId: `cus_${MARK}`,
    code: `${MARK}-code`,
    slug: `${MARK}-slug`,
    referredByExternalId: 'ada',
  };
  const imported = await shop.post('/v1/imports/rows', {
    programId: shop.programId,
    rows: [row],
  });
  expect([imported.status, imported.body]).toMatchObject([200, {}]);
  expect((await findMarks(MARK)).length).toBeGreaterThan(4);
  const { body } = await shop.read('/v1/participants', { externalId: row.externalId });
  expect((await erase(projectId, key, body.data[0].id)).status).toBe(200);
  expect(await findMarks(MARK)).toEqual([]);
});

test('what Stripe told of their customer is destroyed while it waits, and of nobody else', async () => {
  const shop = await openStripeShop(service);
  const { projectId, key } = shop.project;
  const theirs = { id: 'in_theirs', customer: `cus_${MARK}` };
  const others = { id: 'in_others', customer: `cus_other_${MARK}2` };
  for (const one of [theirs, others]) {
    expect(await shop.sendEvent('invoice.paid', invoice(one))).toMatchObject({ state: 'parked' });
  }
  const cy = { kind: 'individual', externalId: 'cy' };
  const told = await service.call('PUT', '/v1/participants', {
    as: key,
    body: { projectId, participant: cy, billingId: theirs.customer },
  });
  expect(await findMarks(`cus_${MARK}`)).toContain('stripe_parked.told');
  expect((await erase(projectId, key, told.body.data.id)).status).toBe(200);
  expect(await findMarks(`cus_${MARK}`)).toEqual([]);
  expect(await findMarks(others.customer)).toEqual([
    'stripe_parked.told',
    'stripe_parked.waits_for',
  ]);
  await service.database.transaction((tx) =>
    tx.query('delete from stripe_parked where project_id = $1', [projectId]),
  );
});

test.each(['erasing again', 'a worker, once it has not gone on for ten minutes'])(
  'whoever did very much is erased in slices, and after a crash by %s',
  async (by) => {
    const shop = await openPayoutShop(service);
    const { projectId, key } = shop.project;
    const id = await name(shop, 'dee', { name: 'Dee' });
    const participant = { kind: 'individual', externalId: 'dee' };
    const { sourceNamespaceId } = shop;
    for (let first = 1; first <= 1_001; first += 250) {
      const events = Array.from({ length: Math.min(250, 1_002 - first) }, (_, n) => ({
        sourceNamespaceId,
        type: 'custom_seen',
        participant,
        sourceEventId: `seen-${first + n}`,
        properties: { note: `${MARK} ${first + n}` },
      }));
      expect((await shop.post('/v1/track/events/batch', { events })).status).toBe(200);
    }
    const left = async () => {
      const [row] = await service.database.reads.query<{ count: number }>(
        `select count(*)::int as count from events
       where project_id = $1 and normalized_facts::text like $2`,
        [projectId, `%${MARK}%`],
      );
      return row?.count;
    };
    expect(await left()).toBe(1_001);
    // As a process leaves it that ended after the erasure itself.
    const request = systemRequest(shop.project);
    const { database, writer, clock } = service;
    const deps = { database, writer, clock, keyring: createKeyring(ROOT_KEY) };
    await eraseInProject(deps, request, id, false);
    expect(await left()).toBe(501);
    expect(
      (await shop.read(`/v1/participants/${id}`)).body.data.participant.deletedAt,
    ).not.toBeNull();
    if (by === 'erasing again') {
      expect((await erase(projectId, key, id)).status).toBe(200);
    } else {
      const failures: unknown[] = [];
      const onFailure = (error: unknown) => failures.push(error);
      const resume = () => resumeErasures({ ...deps, newId: makeNewId(clock.nowMs), onFailure });
      expect(await resume()).toBe(0);
      clock.advance(10 * MINUTE_MS);
      expect((await Promise.all([resume(), resume()])).toSorted()).toEqual([0, 1]);
      expect([await resume(), failures]).toEqual([0, []]);
    }
    expect(await findMarks(MARK)).toEqual([]);
    expect(await service.database.reads.query('select 1 from erasures')).toEqual([]);
  },
);
