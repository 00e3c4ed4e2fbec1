import { beforeEach, expect, test } from 'vitest';
import { MemoryTracking } from '../../../../test/memory-tracking.ts';
import { aProgram, aRule, percentTerms, someTerms } from '../../../../test/program-book.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const HELD = { isUnderReview: true, deliveryStatus: 'on_hold', deliveryReason: 'risk_review' };

let shop: MemoryTracking;
beforeEach(() => {
  const bought = aRule([percentTerms(1_000, { durationMode: 'forever' })]);
  const joined = aRule([someTerms()], { id: 'joined', eventType: 'signup' });
  const rules = [bought, joined];
  shop = new MemoryTracking(NOW, [aProgram({ rules })], [{ name: 'ada', programId: 'prg' }]);
  shop.signUp('bob', 'ada-prg');
  shop.buy('before', 'bob');
});

const open = (by: object = {}) => shop.openReview('bob', shop.eventOf('before'), by);
const all = () => [...shop.made.rewards.added.values()];

test('a review holds all Rewards of the referral, and those that it earns from then on', () => {
  const id = open();
  expect(shop.made.reviews).toMatchObject([{ id, number: 1, status: 'open' }]);
  shop.buy('after', 'bob');
  expect(all()).toHaveLength(3);
  for (const reward of all()) expect(reward).toMatchObject(HELD);
});

test('Rewards of other referrals are not held', () => {
  shop.signUp('eve', 'ada-prg');
  open();
  shop.buy('other', 'eve');
  expect(shop.rewardsOf('other')).toMatchObject([{ isUnderReview: false }]);
  expect(all().filter(({ isUnderReview }) => isUnderReview)).toHaveLength(2);
});

test('the feed has the review once, with names of signals and without notes', () => {
  const id = open();
  expect(open()).toBeNull();
  const said = shop.announced.filter(({ type }) => type === 'risk.review_opened');
  expect(said).toEqual([
    {
      type: 'risk.review_opened',
      data: {
        review: {
          id,
          programId: 'prg',
          referralId: expect.any(String),
          referrer: { $party: 'ada' },
          referee: { $party: shop.idOf('bob') },
          status: 'open',
          score: 85,
          signals: ['email_alias'],
          openedAt: NOW,
          decidedAt: null,
        },
      },
    },
  ]);
});

test('a verdict below the limit changes nothing', () => {
  const before = structuredClone([shop.state, shop.made]);
  expect(open({ score: 59 })).toBeNull();
  expect([shop.state, shop.made]).toEqual(before);
});

test('a refund of what is held keeps it held', () => {
  open();
  shop.refund('some', 'before', '400');
  expect(shop.rewardsOf('before')).toMatchObject([{ ...HELD, netAmountMinor: 60n }]);
  shop.refund('rest', 'before', '600');
  expect(shop.rewardsOf('before')).toMatchObject([
    { isUnderReview: true, fulfillmentStatus: 'cancelled' },
  ]);
});

test('a referral that was rejected earns nothing more, and one that was approved earns as before', () => {
  open();
  shop.decideReview('bob', 'rejected');
  for (const reward of all()) expect(reward).toMatchObject({ void: { reasonCode: 'fraud' } });
  shop.buy('after', 'bob');
  expect(shop.rewardsOf('after')).toEqual([]);
  expect(shop.eventOf('after').explanation?.rules).toMatchObject([
    { verdict: 'skipped', reason: 'referral_rejected' },
  ]);
  shop.signUp('eve', 'ada-prg');
  shop.openReview('eve', shop.signupOf('eve'), {});
  shop.decideReview('eve', 'approved');
  shop.buy('other', 'eve');
  expect(shop.rewardsOf('other')).toMatchObject([
    { isUnderReview: false, deliveryReason: 'awaiting_operator' },
  ]);
  // Nobody is asked twice.
  expect(shop.openReview('eve', shop.eventOf('other'), { score: 100 })).toBeNull();
});

test('the first purchase of a referral under review leaves it under review', () => {
  shop.signUp('eve', 'ada-prg');
  shop.openReview('eve', shop.signupOf('eve'), {});
  shop.buy('first', 'eve');
  expect(shop.rewardsOf('first')).toMatchObject([HELD]);
  expect(shop.made.referrals.map(({ reviewStatus }) => reviewStatus)).toEqual([null, 'open']);
});
