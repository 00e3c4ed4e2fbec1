import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const send = (rows: readonly object[], more: object = {}) =>
  shop.post('/v1/imports/rows', { programId: shop.programId, rows, ...more });
const take = async (rows: readonly object[], more: object = {}) => {
  const answer = await send(rows, more);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body.data;
};
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const statuses = (data: any) => data.results.map(({ status }: { status: string }) => status);
const detail = async (externalId: string) => {
  const [found] = (await shop.read('/v1/participants', { externalId })).body.data;
  return found && (await shop.read(`/v1/participants/${found.id}`)).body.data;
};
/** All that is stored of the Project. */
const stored = async () => {
  const tables = ['participants', 'ref_codes', 'ref_links', 'enrollments', 'events', 'referrals'];
  const rest = ['touches', 'figures', 'feed_events', 'sources', 'project_heads', 'audit_entries'];
  const rows = await Promise.all(
    [...tables, ...rest].map((table) =>
      service.database.reads.query(
        `select to_jsonb(t) as row from ${table} t where project_id = $1 order by to_jsonb(t)::text`,
        [shop.project.projectId],
      ),
    ),
  );
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
};
const sound = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

const FILE = [
  { externalId: 'grace', name: 'Grace', email: 'grace@example.com', code: 'Grace-Friends' },
  { externalId: 'linus', slug: 'linus-link', billingId: 'cus_1' },
  { externalId: 'carol', referredByCode: 'grace-friends', referredAt: '2024-02-03T04:05:06Z' },
  { externalId: 'dave', referredByCode: 'LINUS-LINK' },
  { externalId: 'erin', referredByExternalId: 'grace' },
  { externalId: 'team', kind: 'group', referredByExternalId: 'carol' },
  { externalId: 'bob', name: 'Bob' },
];

test('a row with an address that cannot be mailed fails alone, with the path', async () => {
  const data = await take([
    { externalId: 'grace', email: 'grace@example.com>' },
    { externalId: 'linus', email: 'linus@example.com' },
  ]);
  expect(statuses(data)).toEqual(['invalid', 'created']);
  expect(data.results[0].issues).toMatchObject([{ path: 'email' }]);
});

test('people come with what is known of them, codes and slugs to share, and who brought them', async () => {
  const data = await take(FILE);
  expect(data.counts).toEqual({ created: 6, updated: 1, unchanged: 0, invalid: 0 });
  expect(statuses(data)).toEqual([...Array(6).fill('created'), 'updated']);
  const grace = await detail('grace');
  expect(grace.participant).toMatchObject({ name: 'Grace', email: 'grace@example.com' });
  expect(grace.refCodes).toMatchObject([{ code: 'grace-friends' }]);
  expect(grace.referrals).toHaveLength(2);
  expect((await detail('linus')).links).toMatchObject([{ slug: 'linus-link' }]);
  const carol = await detail('carol');
  expect(carol.referredBy).toMatchObject({
    id: data.results[2].referralId,
    referrerParticipantId: grace.participant.id,
    programId: shop.programId,
  });
  // Bound by an Event of its own, now; when it really was is kept with it (D-IMP-1).
  expect(carol.events).toMatchObject([
    {
      id: carol.referredBy.bindingEventId,
      type: 'custom_import',
      occurredAt: service.clock.now,
      normalizedFacts: { properties: { referredAt: '2024-02-03T04:05:06.000Z' } },
    },
  ]);
  // Who brought somebody, and had no code, has one now.
  expect(carol.refCodes).toHaveLength(1);
  expect(await shop.feed()).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'referral.created' })]),
  );
  await sound();
});

test('the same file again changes nothing, and part of it neither', async () => {
  const first = await take(FILE);
  const before = await stored();
  const again = await take(FILE);
  expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 7, invalid: 0 });
  const ids = ({ results }: typeof first) =>
    results.map((one: { participantId: string; referralId: string }) => [
      one.participantId,
      one.referralId,
    ]);
  expect(ids(again)).toEqual(ids(first));
  const withoutAudit = (text: string) => JSON.stringify(JSON.parse(text).slice(0, -2));
  expect(withoutAudit(await stored())).toBe(withoutAudit(before));
});

test('a dry run answers what the real one does, and leaves nothing', async () => {
  const rows = [
    ...FILE,
    { externalId: 'grace', name: 'Grace again' },
    { externalId: 'frank', code: 'grace-friends' },
    { externalId: 'carol', referredByExternalId: 'linus' },
    { nothing: 'known' },
    { externalId: 'erin', referredByExternalId: 'grace' },
  ];
  const before = await stored();
  const dry = await take(rows, { dryRun: true });
  expect(await stored()).toBe(before);
  const real = await take(rows);
  const plain = ({ results }: typeof dry) =>
    results.map(({ status, issues }: { status: string; issues: object }) => ({ status, issues }));
  expect(plain(dry)).toEqual(plain(real));
  expect(dry.counts).toEqual(real.counts);
  // What is not there has no id.
  expect(dry.results[0]).toMatchObject({ participantId: null, referralId: null });
  expect(dry.results[6].participantId).toBe(real.results[6].participantId);
  expect(statuses(real).slice(7)).toEqual([
    'updated',
    'invalid',
    'invalid',
    'invalid',
    'unchanged',
  ]);
  expect(real.results[11].referralId).toBe(real.results[4].referralId);
  expect(dry.results[11]).toMatchObject({ participantId: null, referralId: null });
});

test.each<[string, object, string]>([
  ['no id', {}, 'externalId'],
  ['a field nobody knows', { externalId: 'x', colour: 'red' }, 'colour'],
  ['a code that is taken', { externalId: 'x', code: 'ada' }, 'code'],
  ['a code that is none', { externalId: 'x', code: '?' }, 'code'],
  ['a slug that is taken', { externalId: 'x', slug: 'ada' }, 'slug'],
  ['a billing id that is taken', { externalId: 'x', billingId: 'cus_ada' }, 'billingId'],
  ['an unknown code', { externalId: 'x', referredByCode: 'nobody' }, 'referredByCode'],
  ['an unknown referrer', { externalId: 'x', referredByExternalId: '?' }, 'referredByExternalId'],
  ['themselves', { externalId: 'ada', referredByCode: 'ada' }, 'referredByCode'],
  ['another referrer', { externalId: 'bob', referredByExternalId: 'eve' }, 'referredByExternalId'],
  [
    'two referrers',
    { externalId: 'x', referredByCode: 'ada', referredByExternalId: 'ada' },
    'referredByCode',
  ],
  [
    'a negative starting measure',
    { externalId: 'x', startingMeasures: { referrals: '-1' } },
    'startingMeasures.referrals',
  ],
  [
    'a huge starting measure',
    { externalId: 'x', startingMeasures: { purchases: '1000000000000000' } },
    'startingMeasures.purchases',
  ],
  [
    'a starting measure that is no text',
    { externalId: 'x', startingMeasures: { referrals: 5 } },
    'startingMeasures.referrals',
  ],
  [
    'a starting measure that nobody knows',
    { externalId: 'x', startingMeasures: { clicks: '5' } },
    'startingMeasures.clicks',
  ],
  [
    'a negative starting revenue',
    { externalId: 'x', startingMeasures: { revenue: [{ currency: 'USD', amountMinor: '-1' }] } },
    'startingMeasures.revenue.0.amountMinor',
  ],
  [
    'a starting revenue without a currency',
    { externalId: 'x', startingMeasures: { revenue: [{ amountMinor: '1' }] } },
    'startingMeasures.revenue.0.currency',
  ],
  [
    'a starting revenue in a currency that does not exist',
    { externalId: 'x', startingMeasures: { revenue: [{ currency: 'ZZZ', amountMinor: '1' }] } },
    'startingMeasures.revenue.0.currency',
  ],
  [
    'a currency twice',
    {
      externalId: 'x',
      startingMeasures: {
        referrals: '1',
        revenue: [
          { currency: 'USD', amountMinor: '1' },
          { currency: 'usd', amountMinor: '2' },
        ],
      },
    },
    'startingMeasures.revenue.1.currency',
  ],
  ['who has left', { externalId: 'x', referredByExternalId: 'gone' }, 'referredByExternalId'],
])('a row with %s fails alone, and nothing of it is taken', async (_, row, path) => {
  await take([
    { externalId: 'ada', billingId: 'cus_ada' },
    { externalId: 'eve' },
    { externalId: 'gone', code: 'gone' },
  ]);
  const { enrollments } = await detail('gone');
  await shop.post(`/v1/enrollments/${enrollments[0].id}/end`);
  const data = await take([{ externalId: 'before' }, row, { externalId: 'after' }]);
  expect(statuses(data)).toEqual(['created', 'invalid', 'created']);
  expect(data.results[1].issues[0]).toMatchObject({ path });
  expect(data.results[1]).toMatchObject({ participantId: null, referralId: null });
  expect(await detail('x')).toBeUndefined();
  await sound();
});

test('an import earns nothing; what the person buys from then on earns as ever (D-IMP-1)', async () => {
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await shop.post('/v1/benefit-rules', {
    programId: shop.programId,
    eventType: 'custom_import',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'For nothing',
    terms: { benefitKind: 'discount', rateBps: 500 },
  });
  await take([{ externalId: 'carol', referredByCode: 'ada' }]);
  expect((await shop.read('/v1/rewards')).body.data).toEqual([]);
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  const bought = await shop.post('/v1/track/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId: 'carol' },
    sourceEventId: 'order',
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  expect(bought.body.processingReason).toBe('attributed');
  const rewards = (await shop.read('/v1/rewards')).body.data;
  expect(rewards).toMatchObject([{ money: { amountMinor: '100' }, beneficiaryRole: 'referrer' }]);
  await sound();
});

test('who was erased does not come back, and neither does what they were called', async () => {
  await take([{ externalId: 'grace', code: 'grace' }]);
  const { participant } = await detail('grace');
  const { projectId, key } = shop.project;
  await service.call('DELETE', `/v1/participants/${participant.id}`, {
    as: key,
    query: { projectId, force: true },
  });
  const data = await take([{ externalId: 'grace' }, { externalId: 'heir', code: 'grace' }]);
  expect(data.results).toMatchObject([
    { status: 'invalid', issues: [{ path: 'externalId' }] },
    { status: 'invalid', issues: [{ path: 'code' }] },
  ]);
});

test('more rows than a transaction takes, and a call refused as a whole', async () => {
  const rows = Array.from({ length: 230 }, (_, n) => ({
    externalId: `user-${n}`,
    ...(n === 0 ? {} : { referredByExternalId: `user-${Math.floor((n - 1) / 3)}` }),
  }));
  const data = await take(rows);
  expect(data.counts.created).toBe(230);
  expect((await detail('user-0')).referrals).toHaveLength(3);
  await sound();
  expect((await send([], {})).status).toBe(400);
  expect((await send([{ externalId: 'x' }], { programId: 'prg_none' })).status).toBe(404);
  const loyalty = await shop.post('/v1/programs', { kind: 'loyalty', name: 'L' });
  const { id } = loyalty.body.data;
  expect((await send([{ externalId: 'x' }], { programId: id })).status).toBe(400);
});

const PAIR = [
  { externalId: 'grace', code: 'grace-friends' },
  { externalId: 'carol', referredByCode: 'grace-friends' },
];
const sources = async () =>
  (await shop.read('/v1/sources')).body.data as { id: string; key: string; kind: string }[];

test('a refused file leaves nothing, and one without referrals no source', async () => {
  const before = await stored();
  expect((await send(PAIR, { programId: 'prg_none' })).status).toBe(404);
  expect(await stored()).toBe(before);
  const count = (await sources()).length;
  await take([{ externalId: 'grace' }]);
  expect(await sources()).toHaveLength(count);
});

test('a row with text that cannot be stored fails alone, like any bad row', async () => {
  const data = await take([
    { externalId: 'nul', name: 'a\u0000b' },
    { externalId: 'half', name: 'a\ud800' },
    { externalId: 'whole', name: 'Grace' },
  ]);
  expect(statuses(data)).toEqual(['invalid', 'invalid', 'created']);
  expect(data.results[1].issues).toEqual([
    { path: 'name', issue: 'must not contain NUL or a lone surrogate' },
  ]);
});

test('a source of yours that is called import is not taken for the one of imports', async () => {
  await shop.post('/v1/sources', { name: 'Import' });
  await take(PAIR);
  expect(await sources()).toMatchObject([
    ...(await sources()).filter(({ key }) => !key.startsWith('import')),
    { key: 'import', kind: 'application' },
    { key: 'import-2', kind: 'import' },
  ]);
});

test('referrals are refused while the source of imports is disabled, also in a dry run', async () => {
  await take(PAIR);
  const source = (await sources()).find(({ kind }) => kind === 'import');
  const { projectId, key } = shop.project;
  await service.call('PATCH', `/v1/sources/${source?.id}`, {
    as: key,
    body: { projectId, enabled: false },
  });
  const next = [{ externalId: 'dave', referredByCode: 'grace-friends' }];
  for (const dryRun of [true, false]) {
    const { status, body } = await send(next, { dryRun });
    expect([status, body.error?.reason]).toEqual([409, 'source_disabled']);
  }
  expect(await detail('dave')).toBeUndefined();
});

test('the same file twice at once is one import', async () => {
  const answers = await Promise.all([take(FILE), take(FILE)]);
  const created = answers.map(({ counts }) => counts.created).toSorted();
  // Bob was there before.
  expect(created).toEqual([0, FILE.length - 1]);
  await sound();
});

test('a dry run takes as many rows as others can wait for', async () => {
  const rows = Array.from({ length: 201 }, (_, n) => ({ externalId: `user-${n}` }));
  const { status, body } = await send(rows, { dryRun: true });
  expect([status, body.error.details[0].path]).toEqual([400, 'rows']);
});
