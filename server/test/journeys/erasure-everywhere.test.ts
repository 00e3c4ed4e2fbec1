import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { startService, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { type Receiver, receiveHttp } from '../receiver.ts';

/** Every word that is planted has it, and nothing else. */
const MARK = 'zqx';

let service: TestService;
let receiver: Receiver;
/** What the receiver answers with: whom it knows the person as. */
let answer = '';
beforeAll(async () => {
  service = await startService();
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
    'rewards.void',
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
