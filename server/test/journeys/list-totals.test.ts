import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop } from '../payout-shop.ts';
import { openShop, type Shop } from '../shop.ts';

const DAY_MS = 86_400_000;

let service: TestService;
let shop: Shop;
let second: string;
/** Times at which something was earned. */
const times: string[] = [];

beforeAll(async () => {
  service = await openService();
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
  const fixed = { benefitKind: 'credit', calculation: 'fixed', fixedAmountMinor: '500' };
  await shop.addRule({ ...fixed, currency: 'EUR', currencyExponent: 2 }, 'referee');
  await shop.addRule({ benefitKind: 'discount', rateBps: 1000, durationMode: 'once' });
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await shop.post('/v1/programs', { kind: 'referral', name: 'Second', config });
  second = made.body.data.id;
  await shop.post(`/v1/programs/${second}/status`, { status: 'active' });
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) {
    service.clock.advance(DAY_MS);
    times.push(service.clock.now);
    const earned = await shop.buy(name);
    if (name === 'two') {
      await shop.post(`/v1/rewards/${earned.cash}/void`, { reasonCode: 'fraud' });
    }
    if (name === 'three') {
      const { credit } = earned;
      await shop.post(`/v1/rewards/${credit}/fulfillment`, { externalReference: 'ledger' });
    }
    if (name === 'four') {
      await shop.post('/v1/track/adjustments', {
        sourceNamespaceId: shop.sourceNamespaceId,
        sourceEventId: 'refund-four',
        kind: 'refund',
        purchase: { sourceEventId: 'four' },
        amountMinor: '300',
        currency: 'USD',
        currencyExponent: 2,
        occurredAt: service.clock.now,
      });
    }
  }
  for (const name of ['carol', 'dave', 'erin']) await shop.signUp(name);
});
afterAll(() => service.close());

type Query = Record<string, string>;

/** All pages of a list. */
async function walk(path: string, query: Query) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const rows: any[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = cursor ? { cursor } : {};
    const { status, body } = await shop.read(path, { ...query, ...page });
    expect([path, query, status]).toEqual([path, query, 200]);
    rows.push(...body.data);
    cursor = body.nextCursor;
  }
  return rows;
}

const totalsOf = async (path: string, query: Query) => {
  const { status, body } = await shop.read(`${path}/totals`, query);
  expect([path, query, status]).toEqual([path, query, 200]);
  return body.data;
};

/** Every combination of none or one of the values of each. */
function combine(choices: Record<string, readonly string[]>): Query[] {
  return Object.entries(choices).reduce<Query[]>(
    (all, [name, values]) =>
      all.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  );
}

describe('the totals of rewards', () => {
  test('are those of all pages, whatever the filter', async () => {
    const ada = (await shop.read('/v1/participants', { externalId: 'ada' })).body.data[0].id;
    const [eventId] = (await walk('/v1/rewards', {})).map((one) => one.eventId);
    const queries = [
      ...combine({
        fulfillmentStatus: ['pending', 'cancelled', 'revoked'],
        deliveryMethod: ['operator'],
        benefitKind: ['cash', 'discount'],
        beneficiaryRole: ['referee'],
      }),
      ...combine({
        programId: [shop.programId, second],
        beneficiaryParticipantId: [ada],
        earnedFrom: [times[2] as string],
        earnedTo: [times[5] as string],
        fulfillmentStatus: ['fulfilled'],
      }),
      { eventId: eventId as string },
      { eventId: eventId as string, benefitKind: 'credit' },
    ];
    const counts = new Set<number>();
    for (const query of queries) {
      const rows = await walk('/v1/rewards', { ...query, limit: '7' });
      const sums = new Map<string, [bigint, bigint]>();
      for (const { money, void: voided } of rows) {
        if (!money) continue;
        const [amount, net] = sums.get(money.currency) ?? [0n, 0n];
        sums.set(money.currency, [
          amount + BigInt(money.amountMinor),
          net + (voided ? 0n : BigInt(money.netAmountMinor)),
        ]);
      }
      expect([query, await totalsOf('/v1/rewards', query)]).toEqual([
        query,
        {
          count: rows.length,
          isMore: false,
          sums: [...sums.keys()].toSorted().map((currency) => ({
            currency,
            currencyExponent: 2,
            amountMinor: String(sums.get(currency)?.[0]),
            netAmountMinor: String(sums.get(currency)?.[1]),
          })),
        },
      ]);
      counts.add(rows.length);
    }
    // The filters tell different rewards apart.
    expect(counts.size).toBeGreaterThan(5);
  });

  test('refuse what the list refuses', async () => {
    const refused = async (query: Query) => (await shop.read('/v1/rewards/totals', query)).status;
    expect(await refused({ programId: 'prg_none' })).toBe(404);
    expect(await refused({ beneficiaryParticipantId: 'par_none' })).toBe(404);
    expect(await refused({ benefitKind: 'gold' })).toBe(400);
    expect(await refused({ earnedFrom: 'yesterday' })).toBe(400);
  });
});

test('referrals, events and participants are counted as they are listed', async () => {
  const ada = (await shop.read('/v1/participants', { externalId: 'ada' })).body.data[0].id;
  const bob = (await shop.read('/v1/participants', { externalId: 'bob' })).body.data[0].id;
  const lists: [string, Query[]][] = [
    [
      '/v1/referrals',
      combine({
        programId: [shop.programId, second],
        referrerParticipantId: [ada, bob],
        refereeParticipantId: [bob],
      }),
    ],
    [
      '/v1/events',
      combine({
        type: ['signup', 'purchase'],
        processingState: ['processed', 'failed', 'pending'],
        participantId: [bob],
      }),
    ],
  ];
  for (const [path, queries] of lists) {
    for (const query of queries) {
      const count = (await walk(path, query)).length;
      expect([path, query, await totalsOf(path, query)]).toEqual([
        path,
        query,
        { count, isMore: false },
      ]);
    }
  }
  for (const query of combine({ kind: ['individual', 'group'], externalId: ['bob', 'nobody'] })) {
    const { data, hasMore } = (await shop.read('/v1/participants', query)).body;
    expect(hasMore).toBe(false);
    expect(await totalsOf('/v1/participants', query)).toEqual({
      count: data.length,
      isMore: false,
    });
  }
});

describe('oldest first', () => {
  test.each<[string, Query]>([
    ['/v1/rewards', { limit: '3' }],
    ['/v1/rewards', { limit: '2', benefitKind: 'cash' }],
    ['/v1/rewards', { limit: '2', fulfillmentStatus: 'pending' }],
    ['/v1/referrals', { limit: '1' }],
    ['/v1/referrals', { limit: '1', programId: 'of the shop' }],
    ['/v1/events', {}],
    ['/v1/events', { type: 'purchase' }],
  ])('%s has the same rows in the other order: %j', async (path, query) => {
    const asked = query.programId ? { ...query, programId: shop.programId } : query;
    const ids = async (order: string) =>
      (await walk(path, { ...asked, order })).map(({ id }) => id as string);
    const newest = await ids('desc');
    expect(newest.length).toBeGreaterThan(2);
    expect(await ids('asc')).toEqual(newest.toReversed());
  });

  test('stays within the times that are asked for', async () => {
    const query = { earnedFrom: times[2] as string, earnedTo: times[5] as string, limit: '2' };
    const newest = (await walk('/v1/rewards', query)).map(({ id }) => id);
    const oldest = (await walk('/v1/rewards', { ...query, order: 'asc' })).map(({ id }) => id);
    expect(newest.length).toBeGreaterThan(4);
    expect(oldest).toEqual(newest.toReversed());
  });

  test.each(['/v1/rewards', '/v1/referrals'])(
    '%s refuses a cursor of the other order',
    async (path) => {
      const cursorOf = async (order: string) =>
        (await shop.read(path, { limit: '1', order })).body.nextCursor as string;
      const [newest, oldest] = [await cursorOf('desc'), await cursorOf('asc')];
      const status = async (query: Query) => (await shop.read(path, query)).status;
      expect(await status({ order: 'asc', cursor: newest })).toBe(400);
      expect(await status({ cursor: oldest })).toBe(400);
      expect(await status({ order: 'asc', cursor: oldest })).toBe(200);
      expect(await status({ order: 'sideways' })).toBe(400);
    },
  );

  test('events are paged by cursor alone', async () => {
    const answer = await shop.read('/v1/events', { order: 'asc', offset: '0' });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'offset']);
  });
});

test('the totals of payouts are those of all pages, and the oldest come first if asked', async () => {
  const payouts = await openPayoutShop(service);
  await payouts.earn('1');
  const failed = (await payouts.submit()).payouts[0].id;
  await payouts.result(failed, 'failed', { failureReason: 'provider_error' });
  await payouts.earn('2', '3');
  const paid = (await payouts.submit()).payouts[0].id;
  await payouts.result(paid, 'paid', { reference: 'SEPA-1' });
  await payouts.earn('4');
  const { id: batchId } = await payouts.draft();
  const list = async (query: Query) =>
    (await payouts.read('/v1/payouts', query)).body.data as { id: string; amountMinor: string }[];
  const counts = new Set<number>();
  for (const query of combine({
    status: ['paid', 'failed', 'returned'],
    method: ['manual_export', 'wise'],
    currency: ['USD', 'eur'],
    batchId: [batchId],
  })) {
    const rows = await list(query);
    counts.add(rows.length);
    const sum = rows.reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n);
    const usd = { currency: 'USD', currencyExponent: 2, amountMinor: String(sum) };
    expect([query, (await payouts.read('/v1/payouts/totals', query)).body.data]).toEqual([
      query,
      { count: rows.length, isMore: false, sums: rows.length === 0 ? [] : [usd] },
    ]);
  }
  expect(counts).toEqual(new Set([0, 1, 3]));
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const newest = ids(await list({}));
  expect(ids(await list({ order: 'asc' }))).toEqual(newest.toReversed());
  const { body } = await payouts.read('/v1/payouts', { order: 'asc', limit: '1' });
  const cursor = body.nextCursor as string;
  expect(ids(await list({ order: 'asc', limit: '1', cursor }))).toEqual([newest[1]]);
  expect((await payouts.read('/v1/payouts', { cursor })).status).toBe(400);
});
