import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { followLink } from '../follow-link.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const DAY_MS = 24 * 3_600_000;
const person = (externalId: string) => ({ kind: 'individual', externalId });
const today = () => service.clock.now.slice(0, 10);
const daily = (shop: Shop, query: Record<string, string>) => shop.read('/v1/figures/daily', query);
const NOTHING = {
  clicks: 0,
  signups: 0,
  referrals: 0,
  converted: 0,
  conversionBps: null,
  purchases: 0,
  customers: 0,
  revenue: [],
  rewards: 0,
  voidedRewards: 0,
  money: [],
  units: [],
};
const usd = (amountMinor: string, netAmountMinor: string) => [
  { currency: 'USD', currencyExponent: 2, amountMinor, netAmountMinor, paidAmountMinor: '0' },
];
const revenue = (netAmountMinor: string) => [
  { currency: 'USD', currencyExponent: 2, netAmountMinor },
];

test('each day tells what came on it, by Program and in all, also of days on which nothing came', async () => {
  const shop = await openShop(service);
  const { programId, project } = shop;
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await shop.addRule({
    benefitKind: 'custom',
    quantity: 3,
    unit: { key: 'point', name: 'point', namePlural: 'points' },
  });
  const first = today();
  for (let n = 0; n < 3; n += 1) {
    await followLink(`${service.url}/l/${project.projectKey}/ada`);
  }
  await service.flushClicks();
  await shop.signUp('carol');
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  const nobody = { sourceNamespaceId, type: 'signup', participant: person('nobody-sent-me') };
  await shop.post('/v1/track/events', nobody);
  const bought = await shop.buy('order-1');
  service.clock.advance(2 * DAY_MS);
  const last = today();
  await shop.buy('order-2');
  await shop.post(`/v1/rewards/${bought.cash}/void`, { reasonCode: 'fraud' });

  const { status, body } = await daily(shop, { from: first, to: last });
  expect(status).toBe(200);
  const unit = (quantity: number) => [
    expect.objectContaining({ unitKey: 'point', namePlural: 'points', quantity }),
  ];
  // Bob and carol were referred on the first day; bob bought, on that day and since.
  const onFirst = {
    ...NOTHING,
    clicks: 3,
    signups: 2,
    referrals: 2,
    converted: 1,
    conversionBps: 5_000,
    purchases: 1,
    customers: 1,
    revenue: revenue('1000'),
    rewards: 2,
    voidedRewards: 1,
    money: usd('100', '0'),
    units: unit(3),
  };
  const onLast = {
    ...NOTHING,
    purchases: 1,
    revenue: revenue('1000'),
    rewards: 2,
    money: usd('100', '100'),
    units: unit(3),
  };
  const total = {
    ...onFirst,
    purchases: 2,
    revenue: revenue('2000'),
    rewards: 4,
    money: usd('200', '100'),
    units: unit(6),
  };
  const middle = new Date(Date.parse(last) - DAY_MS).toISOString().slice(0, 10);
  expect(body.data).toEqual({
    from: first,
    to: last,
    total: { ...total, allSignups: 3, allPurchases: 2 },
    days: [
      { day: first, ...onFirst, allSignups: 3, allPurchases: 1 },
      { day: middle, ...NOTHING, allSignups: 0, allPurchases: 0 },
      { day: last, ...onLast, allSignups: 0, allPurchases: 1 },
    ],
    previous: null,
    programs: [
      {
        programId,
        name: 'Invite',
        total,
        days: [
          { day: first, ...onFirst },
          { day: last, ...onLast },
        ],
      },
    ],
  });
  expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);
});

test('an invoice told again is no second purchase, and nobody is converted twice', async () => {
  const shop = await openShop(service);
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  for (const sourceEventId of ['told', 'told-again']) {
    const purchase = { amountMinor: '1000', currency: 'USD', invoiceId: 'in-1' };
    const bob = person('bob');
    const event = {
      sourceNamespaceId,
      type: 'purchase',
      participant: bob,
      sourceEventId,
      purchase,
    };
    await shop.post('/v1/track/events', event);
  }
  await shop.order('another');
  const { body } = await daily(shop, { from: today(), to: today() });
  expect(body.data.total).toMatchObject({ purchases: 2, allPurchases: 2, converted: 1 });
});

test('of one Program there is what that one brought, and the Project’s own signups beside it', async () => {
  const shop = await openShop(service);
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await shop.post('/v1/programs', { kind: 'referral', name: 'Quiet', config });
  const quiet = made.body.data.id;
  const range = { from: today(), to: today() };
  const all = (await daily(shop, range)).body.data;
  expect(all.programs.map(({ name }: { name: string }) => name)).toEqual(['Invite', 'Quiet']);
  const one = (await daily(shop, { ...range, programId: quiet })).body.data;
  expect(one.programs).toMatchObject([{ programId: quiet, total: NOTHING, days: [] }]);
  expect(one.total).toEqual({ ...NOTHING, allSignups: 1, allPurchases: 0 });
});

test.each([
  [{ from: '2026-11-15', to: '2026-11-14' }, 400],
  [{ from: '2026-02-30', to: '2026-03-01' }, 400],
  [{ from: '2026-11-15' }, 400],
  [{ from: '2025-01-01', to: '2026-02-04' }, 200],
  [{ from: '2025-01-01', to: '2026-02-05' }, 400],
  [{ from: '2026-11-15', to: '2026-11-15', programId: 'prg_none' }, 404],
])('%j answers %i', async (query, status) => {
  const shop = await openShop(service);
  expect((await daily(shop, query as Record<string, string>)).status).toBe(status);
});
