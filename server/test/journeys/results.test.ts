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
const daysAgo = (count: number) =>
  new Date(service.clock.nowMs() - count * DAY_MS).toISOString().slice(0, 10);
const money = (currency: string, netAmountMinor: string) => ({
  currency,
  currencyExponent: currency === 'JPY' ? 0 : 2,
  netAmountMinor,
});

async function purchase(
  shop: Shop,
  sourceEventId: string,
  amount: { readonly by?: object; readonly amountMinor: string; readonly currency?: string } | null,
): Promise<void> {
  const { by = person('bob'), amountMinor = '', currency = 'USD' } = amount ?? {};
  const { status } = await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: by,
    sourceEventId,
    ...(amount ? { purchase: { amountMinor, currency } } : {}),
  });
  expect(status).toBe(200);
}

async function adjust(shop: Shop, order: string, fields: Record<string, string>): Promise<void> {
  const { sourceNamespaceId } = shop;
  const isLoss = fields.kind === 'dispute_lost';
  const { status, body } = await shop.post('/v1/track/adjustments', {
    sourceNamespaceId,
    purchase: { sourceEventId: order },
    occurredAt: service.clock.now,
    ...(isLoss ? {} : { currency: 'USD', currencyExponent: 2 }),
    ...fields,
  });
  expect([status, body]).toMatchObject([200, {}]);
}

async function day(shop: Shop, on = today(), query: Record<string, string> = {}) {
  const { status, body } = await shop.read('/v1/figures/daily', { from: on, to: on, ...query });
  expect(status).toBe(200);
  return body.data;
}

const expectSound = async ({ project }: Shop) =>
  expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);

test('revenue is what referred people paid, by currency, after refunds and lost disputes, on the day of the purchase', async () => {
  const shop = await openShop(service);
  const first = today();
  await purchase(shop, 'dollars', { amountMinor: '1000' });
  await purchase(shop, 'yen', { amountMinor: '500', currency: 'JPY' });
  await purchase(shop, 'free', { amountMinor: '0' });
  await purchase(shop, 'without an amount', null);
  await purchase(shop, 'of a stranger', { amountMinor: '7000', by: person('stranger') });
  const revenue = async () => (await day(shop, first)).total.revenue;
  expect(await revenue()).toEqual([money('JPY', '500'), money('USD', '1000')]);

  service.clock.advance(3 * DAY_MS);
  await adjust(shop, 'dollars', { sourceEventId: 'r', kind: 'refund', amountMinor: '300' });
  expect(await revenue()).toEqual([money('JPY', '500'), money('USD', '700')]);
  await adjust(shop, 'dollars', { sourceEventId: 'd', kind: 'dispute', amountMinor: '700' });
  expect(await revenue()).toEqual([money('JPY', '500'), money('USD', '700')]);
  await adjust(shop, 'dollars', { sourceEventId: 'l', kind: 'dispute_lost', closes: 'd' });
  expect(await revenue()).toEqual([money('JPY', '500')]);
  const restores = { kind: 'restoration', restores: 'r', amountMinor: '300' };
  await adjust(shop, 'dollars', { sourceEventId: 'back', ...restores });
  expect(await revenue()).toEqual([money('JPY', '500'), money('USD', '300')]);
  expect((await day(shop)).total).toMatchObject({ revenue: [], purchases: 0 });
  await expectSound(shop);
});

test('a purchase that waited counts on the day it was received, and its refund in between is deducted', async () => {
  const shop = await openShop(service);
  const first = today();
  await purchase(shop, 'early', { amountMinor: '1000', by: person('carol') });
  await adjust(shop, 'early', { sourceEventId: 'r', kind: 'refund', amountMinor: '400' });
  expect((await day(shop)).total).toMatchObject({ customers: 0, revenue: [] });
  service.clock.advance(DAY_MS / 2);
  await shop.signUp('carol');
  const { total } = await day(shop, first);
  expect(total).toMatchObject({ customers: 1, revenue: [money('USD', '600')] });
  await expectSound(shop);
});

test('a referral becomes a customer once, and all its purchases count for its referrer', async () => {
  const shop = await openShop(service);
  const first = today();
  await purchase(shop, 'first', { amountMinor: '1000' });
  await purchase(shop, 'first', { amountMinor: '1000' });
  service.clock.advance(DAY_MS);
  await purchase(shop, 'second', { amountMinor: '50' });
  expect((await day(shop, first)).total).toMatchObject({ customers: 1, converted: 1 });
  expect((await day(shop)).total).toMatchObject({ customers: 0, revenue: [money('USD', '50')] });
  const { data } = (await shop.read('/v1/figures/top-referrers')).body;
  expect(data).toMatchObject([{ customers: 1, revenue: [money('USD', '1050')] }]);
  await expectSound(shop);
});

test('the period before is as long, and ends the day before', async () => {
  const shop = await openShop(service);
  await purchase(shop, 'before', { amountMinor: '1000' });
  service.clock.advance(2 * DAY_MS);
  await purchase(shop, 'now', { amountMinor: '2000' });
  const query = { from: daysAgo(1), to: today(), compare: 'previous' };
  const { data } = (await shop.read('/v1/figures/daily', query)).body;
  expect(data.total).toMatchObject({ purchases: 1, revenue: [money('USD', '2000')] });
  expect(data.previous).toMatchObject({
    from: daysAgo(3),
    to: daysAgo(2),
    total: { purchases: 1, customers: 1, revenue: [money('USD', '1000')], allSignups: 1 },
  });
  expect((await shop.read('/v1/figures/daily', { ...query, compare: 'next' })).status).toBe(400);
});

test('what was paid of rewards counts on the day they were earned', async () => {
  const shop = await openShop(service);
  const first = today();
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await shop.setDelivery({ cashMethod: 'manual' });
  const { cash } = await shop.buy('order-1');
  service.clock.advance(40 * DAY_MS);
  await shop.post(`/v1/rewards/${cash}/fulfillment`, { externalReference: 'bank-1' });
  const { total } = await day(shop, first);
  expect(total.money).toMatchObject([{ netAmountMinor: '100', paidAmountMinor: '100' }]);
  await expectSound(shop);
});

test('of those referred in a week, a cohort says how many had bought by which week', async () => {
  const shop = await openShop(service);
  // To the Monday after bob was referred.
  const weekday = (new Date(service.clock.nowMs()).getUTCDay() + 6) % 7;
  service.clock.advance((7 - weekday) * DAY_MS);
  for (const name of ['c', 'd', 'e']) await shop.signUp(name);
  await purchase(shop, 'of c', { amountMinor: '1000', by: person('c') });
  await purchase(shop, 'of bob', { amountMinor: '1000' });
  service.clock.advance(7 * DAY_MS);
  await purchase(shop, 'of d', { amountMinor: '1000', by: person('d') });
  await purchase(shop, 'of c again', { amountMinor: '1000', by: person('c') });

  const query = { to: today(), weeks: '3' };
  const { status, body } = await shop.read('/v1/figures/cohorts', query);
  expect(status).toBe(200);
  expect(body.data).toEqual([
    { week: daysAgo(14), referrals: 1, bought: [0, 1, 1] },
    { week: daysAgo(7), referrals: 3, bought: [1, 2] },
    { week: today(), referrals: 0, bought: [0] },
  ]);
  const { programId } = shop;
  expect((await shop.read('/v1/figures/cohorts', { ...query, programId })).body).toEqual(body);
  await expectSound(shop);
});

test('a link has its clicks, referrals, customers and revenue; a code has none of its own', async () => {
  const shop = await openShop(service);
  const { programId, project, sourceNamespaceId } = shop;
  await followLink(`${service.url}/l/${project.projectKey}/ada`);
  await service.flushClicks();
  const made = await shop.post('/v1/referral-codes', { programId, participant: person('eve') });
  const byCode = { type: 'signup', participant: person('frank'), refCode: made.body.data.code };
  await shop.post('/v1/track/events', { sourceNamespaceId, ...byCode });
  await shop.signUp('carol');
  await purchase(shop, 'order', { amountMinor: '1000' });
  const { status, body } = await shop.read('/v1/figures/top-links', { programId });
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      linkId: expect.stringMatching(/^lnk_/),
      slug: 'ada',
      programId,
      participant: expect.objectContaining({ externalId: 'ada' }),
      clicks: 1,
      referrals: 2,
      customers: 1,
      revenue: [money('USD', '1000')],
    },
  ]);
  expect((await shop.read('/v1/figures/top-links')).body).toEqual(body);
  await expectSound(shop);
});

test('results outlast the people behind them', async () => {
  const shop = await openShop(service);
  await purchase(shop, 'order', { amountMinor: '1000' });
  const before = (await day(shop)).total;
  for (const name of ['bob', 'ada']) {
    const people = (await shop.read('/v1/participants', { externalId: name })).body.data;
    const id = people.find((one: { externalId: string }) => one.externalId === name)?.id;
    const { status } = await service.call('DELETE', `/v1/participants/${id}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId },
    });
    expect(status).toBeLessThan(300);
  }
  expect((await day(shop)).total).toEqual(before);
  expect((await shop.read('/v1/figures/top-links')).status).toBe(200);
  await expectSound(shop);
});

test.each([
  ['/v1/figures/cohorts', { to: '2026-02-30' }, 400],
  ['/v1/figures/cohorts', { to: '2026-11-15', weeks: '27' }, 400],
  ['/v1/figures/cohorts', {}, 400],
  ['/v1/figures/cohorts', { to: '2026-11-15', programId: 'prg_none' }, 404],
  ['/v1/figures/top-links', { programId: 'prg_none' }, 404],
  ['/v1/figures/top-links', { limit: '51' }, 400],
])('%s with %j answers %i', async (path, query, status) => {
  const shop = await openShop(service);
  expect((await shop.read(path, query as Record<string, string>)).status).toBe(status);
});
