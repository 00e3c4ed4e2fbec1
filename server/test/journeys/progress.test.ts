import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listTermsInForce } from '../../src/domain/programs/queries.ts';
import { findProgress } from '../../src/domain/tracking/read/find-progress.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const USD = { currency: 'USD', currencyExponent: 2 };
const SHARE = { benefitKind: 'cash', calculation: 'percentage' };
const BONUS = { benefitKind: 'cash', calculation: 'milestone', durationMode: 'once', ...USD };

let service: TestService;
let shop: Shop;
let sign: ReturnType<typeof makeSigner>;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  shop = await openShop(service);
  const { secret } = await newWidgetSecret(service, shop.project);
  sign = makeSigner(service, shop.project, secret);
});
afterAll(() => service.close());

const init = async (sub = 'ada') => {
  const { status, body } = await service.call('POST', '/v1/widget/init', {
    as: 'nobody',
    headers: { authorization: `Bearer ${await sign({ claims: { sub } })}` },
    body: { projectId: shop.project.projectId, programId: shop.programId },
  });
  expect(status).toBe(200);
  return body;
};
/** In short: `3: 0 → 5` is a measure of 3, in the step from 0, before the one from 5. */
const progress = async (sub?: string): Promise<string[]> =>
  (await init(sub)).progress.map(
    ({ value, current, next }: Record<string, { at: string } | null>) =>
      `${value}: ${current?.at ?? 'none'} → ${next?.at ?? 'none'}`,
  );
const refund = async (order: string, amountMinor: string) => {
  const answer = await shop.post('/v1/track/adjustments', {
    sourceNamespaceId: shop.sourceNamespaceId,
    sourceEventId: `refund of ${order}`,
    purchase: { sourceEventId: order },
    kind: 'refund',
    amountMinor,
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
  });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
};
const steps = (...sizes: [from: string, rateBps: number][]) =>
  sizes.map(([from, rateBps]) => ({ from, rateBps }));

test('signups and purchases move the bar, and a refund moves it back (D-TIER-4)', async () => {
  const friends = { measure: 'referrals', steps: steps(['0', 2_000], ['3', 2_500]) };
  const revenue = { measure: 'revenue', steps: steps(['0', 100], ['2000', 200]) };
  await shop.addRule({ ...SHARE, tiers: friends });
  await shop.addRule({ ...SHARE, currency: 'USD', tiers: revenue });
  expect((await init()).progress).toMatchObject([
    {
      ruleId: expect.stringMatching(/^rul_/),
      type: 'tiers',
      measure: 'referrals',
      window: 'all_time',
      value: '1',
      current: { at: '0', reached: null, rateBps: 2_000 },
      next: { at: '3', missing: '2', rateBps: 2_500, fixedAmountMinor: null, quantity: null },
    },
    { measure: 'revenue', currency: 'USD', currencyExponent: 2, value: '0' },
  ]);
  await shop.signUp('eve');
  await shop.order('1');
  expect(await progress()).toEqual(['2: 0 → 3', '1000: 0 → 2000']);
  await shop.signUp('mallory');
  await shop.order('2');
  expect(await progress()).toEqual(['3: 3 → none', '2000: 2000 → none']);
  await refund('1', '400');
  expect(await progress()).toEqual(['3: 3 → none', '1600: 0 → 2000']);
  // Each person has their own.
  expect(await progress('bob')).toEqual(['0: 0 → 3', '0: 0 → 2000']);
});

test('milestones that were reached are counted, and one that is lost is to be reached again', async () => {
  const milestone = { measure: 'purchases', at: '2', repeat: true };
  await shop.addRule({ ...BONUS, fixedAmountMinor: '500', milestone });
  await shop.order('1');
  expect(await progress()).toEqual(['1: none → 2']);
  await shop.order('2');
  expect((await init()).progress).toMatchObject([
    {
      type: 'milestone',
      value: '2',
      current: { at: '2', reached: 1, fixedAmountMinor: '500' },
      next: { at: '4', missing: '2', fixedAmountMinor: '500' },
    },
  ]);
  await refund('1', '1000');
  expect(await progress()).toEqual(['1: none → 2']);
});

test('a month begins at zero, and thirty days later nothing is left', async () => {
  const monthly = { measure: 'purchases', window: 'calendar_month' };
  const rolling = { measure: 'purchases', window: 'rolling_30_days' };
  const sizes = { steps: steps(['0', 100], ['2', 200]) };
  await shop.addRule({ ...SHARE, tiers: { ...monthly, ...sizes } });
  await shop.addRule({ ...SHARE, tiers: { ...rolling, ...sizes } });
  await shop.order('1');
  await shop.order('2');
  expect(await progress()).toEqual(['2: 2 → none', '2: 2 → none']);
  const { now } = service.clock;
  const nextMonth = new Date(Date.UTC(Number(now.slice(0, 4)), Number(now.slice(5, 7)), 1));
  service.clock.advance(nextMonth.getTime() - service.clock.nowMs());
  expect(await progress()).toEqual(['0: 0 → 2', '2: 2 → none']);
  service.clock.advance(30 * DAY_MS);
  expect(await progress()).toEqual(['0: 0 → 2', '0: 0 → 2']);
});

test('terms of others and terms that are off are not told, and neither is a Program that is over', async () => {
  const tiers = { measure: 'purchases', steps: steps(['0', 100], ['2', 200]) };
  await shop.addRule({ ...SHARE, tiers }, 'referee');
  await shop.addRule({ ...SHARE, tiers, enabled: false });
  // Nobody referred them.
  expect(await progress()).toEqual([]);
  await shop.addRule({ ...SHARE, tiers });
  expect(await progress()).toEqual(['0: 0 → 2']);
  await shop.post(`/v1/programs/${shop.programId}/status`, { status: 'ended' });
  expect(await progress()).toEqual([]);
});

test('somebody who was referred sees the rules for referees, by their own purchases (D-TIER-4)', async () => {
  const tiers = { measure: 'purchases', steps: steps(['0', 100], ['2', 200]) };
  const milestone = { measure: 'revenue', at: '1500', repeat: true };
  await shop.addRule({ ...SHARE, tiers });
  await shop.addRule({ ...SHARE, tiers }, 'referee');
  await shop.addRule({ ...BONUS, fixedAmountMinor: '500', milestone }, 'referee');
  await shop.order('1');
  await shop.order('2');
  expect((await init('bob')).progress).toMatchObject([
    { role: 'referrer', value: '0' },
    { role: 'referee', value: '2', current: { at: '2', rateBps: 200 }, next: null },
    { role: 'referee', measure: 'revenue', value: '2000', current: { at: '1500', reached: 1 } },
  ]);
  expect((await init('ada')).progress).toMatchObject([{ role: 'referrer', value: '2' }]);
});

test('terms that do not grow take no further statement, and those that do at most two, or three if some are for referees', async () => {
  const { projectId } = shop.project;
  const { programId } = shop;
  const { reads } = service.database;
  const now = service.clock.now;
  const count = async () => {
    const terms = await listTermsInForce(reads, projectId, programId, now);
    let statements = 0;
    const counting: typeof reads = {
      ...reads,
      query: (text, params) => {
        statements += 1;
        return reads.query(text, params);
      },
    };
    const asked = { projectId, programId, participantId: 'par', now };
    await findProgress(counting, asked, terms);
    return [terms.length, statements];
  };
  await shop.addRule({ ...SHARE, rateBps: 1_000 });
  expect(await count()).toEqual([1, 0]);
  const sizes = { measure: 'purchases', steps: steps(['0', 100], ['2', 200]) };
  await shop.addRule({ ...SHARE, tiers: sizes });
  expect(await count()).toEqual([2, 1]);
  await shop.addRule({ ...SHARE, tiers: { ...sizes, window: 'rolling_30_days' } });
  await shop.addRule({ ...SHARE, tiers: { ...sizes, window: 'calendar_month' } });
  expect(await count()).toEqual([4, 2]);
  // Whether somebody referred them.
  await shop.addRule({ ...SHARE, tiers: sizes }, 'referee');
  expect(await count()).toEqual([5, 3]);
});
