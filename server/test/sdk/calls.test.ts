import { Goodword, isGoodwordError, type Operation, type RowOf } from '@goodword/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';

let service: TestService;
let proxy: FaultProxy;
let url: string;
beforeAll(async () => {
  service = await openService();
  proxy = new FaultProxy(service.url);
  url = await proxy.start();
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

let project: TestProject;
let client: Goodword;
let programId: string;
beforeEach(async () => {
  project = await service.newProject();
  const { projectId, key: apiKey } = project;
  const backend = new Goodword({ url, apiKey, projectId });
  const { sourceNamespaceId } = await backend.request('POST /v1/sources');
  client = new Goodword({ url, apiKey, projectId, sourceNamespaceId });
  const { data } = await client.request('POST /v1/programs', {
    body: {
      kind: 'referral',
      name: 'Invite',
      config: { brandConfig: { landingPageUrl: 'https://shop.example.com' } },
    },
  });
  programId = data.id;
  await client.request('POST /v1/programs/{programId}/status', {
    path: { programId },
    body: { status: 'active' },
  });
  await client.request('POST /v1/benefit-rules', {
    body: {
      programId,
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      name: 'Thanks',
      terms: {
        benefitKind: 'credit',
        calculation: 'percentage',
        rateBps: 1_000,
        durationMode: 'forever',
      },
    },
  });
  await client.links.create({ programId, participant: person('ada'), slug: 'ada' });
  proxy.passed.length = 0;
  proxy.plan.length = 0;
});

const person = (externalId: string) => ({ kind: 'individual', externalId }) as const;
const purchase = { amountMinor: '10000', currency: 'USD' };

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe('a backend with the SDK', () => {
  test('goes the whole way: signup, purchase, reward, grant, refund', async () => {
    const signup = await client.track.signup({ participant: person('bob'), refCode: 'ada' });
    expect(signup).toMatchObject({ processingReason: 'attributed', refCode: { accepted: true } });
    const bought = await client.track.purchase({
      participant: person('bob'),
      sourceEventId: 'order-1',
      purchase,
    });
    const [reward, ...others] = await collect(client.rewards.list({ eventId: bought.eventId }));
    expect(others).toEqual([]);
    expect(reward).toMatchObject({
      money: { netAmountMinor: '1000' },
      fulfillmentStatus: 'pending',
    });
    const refund = await client.track.refund({
      sourceEventId: 'refund-1',
      purchase: { sourceEventId: 'order-1' },
      amountMinor: '5000',
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
    });
    expect(refund.rewardAdjustments).toMatchObject([{ signedAmountMinor: '-500' }]);
    const adjustments = await collect(client.list('GET /v1/reward-adjustments'));
    expect(adjustments).toMatchObject([{ signedAmountMinor: '-500' }]);
    const rewardId = reward?.id ?? '';
    expect(await client.rewards.fulfill(rewardId, 'grant-1')).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      money: { netAmountMinor: '500' },
    });
    await client.rewards.void(rewardId, { reasonCode: 'fraud' });
    expect(await client.rewards.revoke(rewardId, 'back-1')).toMatchObject({
      fulfillmentStatus: 'revoked',
    });
    expect(await client.rewards.get(rewardId)).toMatchObject({ void: { reasonCode: 'fraud' } });
    const { candidates } = await client.events.explain(signup.eventId);
    expect(candidates).toMatchObject([{ verdict: 'selected' }]);
    expect(await client.referrals.get(signup.attribution?.referralId ?? '')).toMatchObject({
      programId,
    });
    expect(await client.programs.summary(programId)).toMatchObject({ referrals: 1 });
  });

  test('reaches people, groups, subscriptions, batches and what it made up itself', async () => {
    const acme = { kind: 'group', externalId: 'acme' } as const;
    await client.track.signup({ participant: acme, actor: person('bob'), handle: 'not a handle' });
    await client.track.custom({
      type: 'custom_review',
      participant: acme,
      sourceEventId: 'review-1',
      properties: { stars: 5 },
    });
    const started = await client.track.subscription({
      sourceEventId: 'sub-1',
      participant: acme,
      subscriptionId: 's1',
      change: 'started',
      occurredAt: service.clock.now,
    });
    expect(started.success).toBe(true);
    const results = await client.track.batch([
      { type: 'signup', participant: person('cid') },
      { type: 'purchase', participant: person('cid') },
    ]);
    expect(results).toMatchObject([
      { success: true },
      { success: false, error: { code: 'INVALID_REQUEST' } },
    ]);
    const named = await client.participants.upsert({ participant: person('cid'), name: 'Cid' });
    expect(await client.participants.get(named.id)).toMatchObject({ participant: { name: 'Cid' } });
    await client.participants.erase(named.id, { force: true });
    const enrolled = await client.enrollments.create({ programId, participant: acme });
    const { code } = await client.codes.create({ programId, participant: acme });
    expect(code).toMatch(/\w/);
    expect(await client.enrollments.end(enrolled.id)).toMatchObject({ id: enrolled.id });
    expect((await collect(client.programs.list())).map(({ id }) => id)).toEqual([programId]);
    expect(await client.programs.get(programId)).toMatchObject({ name: 'Invite' });
    const csv = await client.request('GET /v1/exports/participants');
    expect(csv.split('\r\n')[0]).toContain('"external_id"');
  });

  test('is told by type what is wrong', async () => {
    const refused = (call: Promise<unknown>) => call.then(() => null).catch((error) => error);
    const taken = await refused(
      client.links.create({ programId, participant: person('bob'), slug: 'ada' }),
    );
    expect(isGoodwordError(taken, 'CONFLICT', 'slug_taken')).toBe(true);
    expect(taken).toMatchObject({ status: 409, requestId: expect.stringMatching(/^req_/) });
    const invalid = await refused(
      client.track.purchase({ participant: person('bob'), sourceEventId: '' }),
    );
    expect(invalid).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
    expect(invalid.issues[0]).toEqual({ path: 'sourceEventId', issue: 'must not be empty' });
    const nobody = new Goodword({ url, apiKey: 'gw_sandbox_no', projectId: project.projectId });
    expect(isGoodwordError(await refused(nobody.rewards.get('rwd_1')), 'UNAUTHORIZED')).toBe(true);
  });

  test('reads every page of every kind of list', async () => {
    const people = Array.from({ length: 120 }, (_, index) => person(`p${index}`));
    await client.track.batch(people.map((participant) => ({ type: 'signup', participant })));
    const byOffset = await collect(client.participants.list({ kind: 'individual' }));
    expect(byOffset.map(({ externalId }) => externalId)).toEqual(
      [person('ada'), ...people].map(({ externalId }) => externalId).reverse(),
    );
    const byCursor = await collect(client.events.list({ type: 'signup' }));
    expect(new Set(byCursor.map(({ id }) => id)).size).toBe(120);
    const some: string[] = [];
    for await (const { id } of client.list('GET /v1/events', { query: { type: 'signup' } })) {
      if (some.push(id) === 3) break;
    }
    expect(some).toHaveLength(3);
  });

  test('is an operator too, with the admin token', async () => {
    const operator = new Goodword({
      url,
      adminToken: 'test-admin-token-0123456789abcdef-0123456789',
    });
    const keys: RowOf<'GET /v1/api-keys'>[] = await collect(
      operator.list('GET /v1/api-keys', { query: { workspaceId: project.workspaceId } }),
    );
    expect(keys).toHaveLength(1);
  });
});

/** What the network does to three calls, one after another. */
const FAULTS: [string, Fault[]][] = [
  ['cut before the service heard', ['cut before']],
  ['cut after the service had done it', ['cut after', 'cut after']],
  ['refused for now', [{ status: 429, headers: { 'retry-after': '0' } }]],
  ['answered by a proxy', [{ status: 502 }, { status: 504 }]],
  [
    'answered 503 after it was done',
    ['cut after', { status: 503, headers: { 'retry-after': '0' } }],
  ],
];

describe.each(FAULTS)('a call that is %s', (_name, faults) => {
  test('is repeated, and leaves one fact and one program', async () => {
    proxy.plan.push(...faults);
    const signup = await client.track.signup({ participant: person('bob'), refCode: 'ada' });
    proxy.plan.push(...faults);
    const bought = await client.track.purchase({
      participant: person('bob'),
      sourceEventId: 'order-1',
      purchase,
    });
    expect([signup.processingReason, bought.processingReason]).toEqual([
      'attributed',
      'attributed',
    ]);
    expect(proxy.passed).toHaveLength(2 * (faults.length + 1));
    expect((await collect(client.events.list())).map(({ id }) => id)).toEqual([
      bought.eventId,
      signup.eventId,
    ]);
    expect(await collect(client.rewards.list())).toHaveLength(1);
    proxy.passed.length = 0;
    proxy.plan.push(...faults);
    const { data } = await client.request('POST /v1/programs', {
      body: { kind: 'loyalty', name: 'Points' },
    });
    expect(new Set(proxy.passed.map(({ key }) => key)).size).toBe(1);
    const programs = await collect(client.programs.list());
    expect(programs.map(({ id }) => id)).toEqual([programId, data.id]);
  });
});

test('what shows a secret once is not repeated: two might be made of it', async () => {
  const operation = 'POST /v1/webhook-endpoints' satisfies Operation;
  proxy.plan.push('cut after');
  const body = { url: 'https://shop.example.com/hooks' };
  await expect(client.request(operation, { body })).rejects.toMatchObject({ code: 'NO_ANSWER' });
  expect(proxy.passed).toHaveLength(1);
});
