import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryTracking } from '../../../../test/memory-tracking.ts';
import {
  adjustOrder,
  openMilestoneShop,
  type Rule,
  review,
  rewardsOf,
} from '../../../../test/milestone-shop.ts';
import { milestoneTerms, tieredTerms } from '../../../../test/program-book.ts';
import { rounds } from '../../../../test/rounds.ts';
import { milestoneAt } from '../../rewards/decide/lose-milestone.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import { leftOf } from '../batch/measures.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const USD = { currency: 'USD', currencyExponent: 2 };
const JOINED = { purpose: 'bonus', eventType: 'signup' } as const;
const HELD = { isUnderReview: true, deliveryStatus: 'on_hold', deliveryReason: 'risk_review' };
const FREE = { isUnderReview: false, void: null, deliveryReason: 'awaiting_operator' };

const openShop = (...rules: readonly Rule[]) => openMilestoneShop(NOW, rules);

describe('a milestone that is reached only with a referral under review', () => {
  const twoFriends = () => {
    const shop = openShop(['mug', milestoneTerms('referrals', 2), JOINED]);
    shop.signUp('fake', 'ada-prg');
    review(shop, 'fake');
    return shop;
  };

  test('is held, although somebody else has reached it', () => {
    const shop = twoFriends();
    shop.signUp('bob', 'ada-prg');
    expect(rewardsOf(shop)).toMatchObject([HELD]);
    const { rules } = shop.signupOf('bob').explanation ?? {};
    expect(rules).toMatchObject([{ calculation: { milestone: { value: '2', underReview: '1' } } }]);
    const earned = shop.announced.filter(({ type }) => type === 'reward.earned');
    expect(earned).toMatchObject([
      { data: { reward: { delivery: { status: 'on_hold', reason: 'risk_review' } } } },
    ]);
  });

  test('is held when the review is opened later', () => {
    const shop = openShop(['mug', milestoneTerms('referrals', 2), JOINED]);
    shop.signUp('fake', 'ada-prg');
    shop.signUp('bob', 'ada-prg');
    expect(rewardsOf(shop)).toMatchObject([FREE]);
    review(shop, 'fake');
    expect(rewardsOf(shop)).toMatchObject([HELD]);
  });

  test('is released with the approval', () => {
    const shop = twoFriends();
    shop.signUp('bob', 'ada-prg');
    shop.decideReview('fake', 'approved');
    expect(rewardsOf(shop)).toMatchObject([FREE]);
  });

  test('is voided with the rejection', () => {
    const shop = twoFriends();
    shop.signUp('bob', 'ada-prg');
    shop.decideReview('fake', 'rejected');
    expect(rewardsOf(shop)).toMatchObject([
      { isUnderReview: false, void: { reasonCode: 'milestone_lost' } },
    ]);
  });

  test('is released once others reach it, even if the referral under review had earned it', () => {
    const shop = openShop(['mug', milestoneTerms('referrals', 2), JOINED]);
    shop.signUp('bob', 'ada-prg');
    shop.signUp('fake', 'ada-prg');
    review(shop, 'fake');
    expect(rewardsOf(shop)).toMatchObject([HELD]);
    shop.signUp('cleo', 'ada-prg');
    expect(rewardsOf(shop)).toMatchObject([FREE]);
  });

  test('waits for each of the reviews that it depends on', () => {
    const shop = twoFriends();
    shop.signUp('fraud', 'ada-prg');
    review(shop, 'fraud');
    shop.decideReview('fake', 'approved');
    expect(rewardsOf(shop)).toMatchObject([HELD]);
    shop.decideReview('fraud', 'approved');
    expect(rewardsOf(shop)).toMatchObject([FREE]);
  });

  test('counts purchases of the referral from before and after the review was opened', () => {
    const shop = openShop(['three', milestoneTerms('purchases', 3)]);
    shop.signUp('fake', 'ada-prg');
    shop.signUp('bob', 'ada-prg');
    shop.buy('1', 'fake');
    review(shop, 'fake');
    shop.buy('2', 'fake');
    shop.buy('3', 'bob');
    expect(rewardsOf(shop)).toMatchObject([HELD]);
    shop.buy('4', 'bob');
    expect(rewardsOf(shop)).toMatchObject([HELD]);
    shop.buy('5', 'bob');
    expect(rewardsOf(shop)).toMatchObject([FREE]);
  });

  test('waits as well if it would be lost only together with a dispute', () => {
    const shop = openShop(['two', milestoneTerms('purchases', 2)]);
    shop.signUp('fake', 'ada-prg');
    shop.signUp('bob', 'ada-prg');
    review(shop, 'fake');
    for (const [order, who] of Object.entries({ '1': 'fake', '2': 'bob', '3': 'bob' })) {
      shop.buy(order, who);
    }
    expect(rewardsOf(shop)).toMatchObject([FREE]);
    shop.adjust('case', '3', { kind: 'dispute', amountMinor: '1000' });
    expect(rewardsOf(shop)).toMatchObject([{ ...HELD, isDisputed: false }]);
    shop.adjust('won', '3', { kind: 'restoration', amountMinor: '1000', restores: 'case' });
    expect(rewardsOf(shop)).toMatchObject([FREE]);
  });
});

test('a step counts referrals under review, and keeps its size when they are rejected', () => {
  const steps = [
    [0, 100],
    [2, 1_000],
  ] as const;
  const shop = openShop(['share', tieredTerms('purchases', steps)]);
  shop.signUp('fake', 'ada-prg');
  shop.signUp('bob', 'ada-prg');
  review(shop, 'fake');
  shop.buy('1', 'fake');
  shop.buy('2', 'bob');
  shop.decideReview('fake', 'rejected');
  expect(shop.rewardsOf('2')).toMatchObject([{ amountMinor: 100n, isUnderReview: false }]);
  shop.buy('3', 'bob');
  expect(shop.rewardsOf('3')).toMatchObject([
    { arithmetic: { tier: { value: '2', rejected: '1' } } },
  ]);
});

// Whatever happens, in whatever order

const FRIENDS = ['bob', 'cleo', 'dan'] as const;
const friend = fc.constantFrom(...FRIENDS);
const aStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('buy' as const), who: friend }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('review' as const), who: friend }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      as: fc.constantFrom('approved' as const, 'rejected' as const),
      who: friend,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('refund' as const, 'dispute' as const, 'lose' as const, 'undo' as const),
      order: fc.nat(9),
      amountMinor: fc.constantFrom('400', '1000'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant' as const), at: fc.nat(9) }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

const every = (measure: 'referrals' | 'purchases' | 'revenue', at: bigint) =>
  ({ measure, at, repeat: true }) as const;
const RULES: readonly Rule[] = [
  ['friends', milestoneTerms('referrals', 2, { milestone: every('referrals', 1n) }), JOINED],
  ['two', milestoneTerms('purchases', 2, { milestone: every('purchases', 2n) })],
  ['much', milestoneTerms('revenue', 900, { ...USD, milestone: every('revenue', 900n) })],
  [
    'own',
    milestoneTerms('purchases', 2, { milestone: every('purchases', 1n) }),
    { beneficiaryRole: 'referee' },
  ],
];

/** What a Reward's measure is, counted anew from the facts; `isSure` leaves out disputes and open reviews. */
function recount(shop: MemoryTracking, reward: RewardRow, isSure: boolean): bigint {
  const { referrals, credits, purchases } = shop.state;
  const beneficiary = reward.beneficiaryParticipantId;
  const counted = [...referrals.values()].filter(
    ({ reviewStatus, referrerParticipantId, refereeParticipantId }) =>
      reviewStatus !== 'rejected' &&
      !(isSure && reviewStatus === 'open') &&
      (reward.beneficiaryRole === 'referrer' ? referrerParticipantId : refereeParticipantId) ===
        beneficiary,
  );
  if (reward.milestone === 'referrals') return BigInt(counted.length);
  const referees = new Set(counted.map(({ refereeParticipantId }) => refereeParticipantId));
  return [...purchases.values()].reduce((sum, purchase) => {
    if (!referees.has(credits.get(purchase.id)?.refereeParticipantId ?? '')) return sum;
    const left = leftOf(isSure ? { ...purchase, disputedMinor: 0n } : purchase);
    return sum + (reward.milestone === 'purchases' ? left.howMany : left.netMinor);
  }, 0n);
}

const SETTLED = new Set(['fulfilled', 'revocation_pending', 'revoked']);

function expectSettled(shop: MemoryTracking): void {
  for (const reward of rewardsOf(shop)) {
    const at = milestoneAt(reward);
    const isReached = recount(shop, reward, false) >= at;
    const isSure = recount(shop, reward, true) >= at;
    if (reward.void !== null) {
      expect(reward.isUnderReview).toBe(false);
      continue;
    }
    if (!SETTLED.has(reward.fulfillmentStatus)) expect(isReached).toBe(true);
    expect(reward.isUnderReview || reward.isDisputed).toBe(isReached && !isSure);
    const isOpen = [...shop.state.referrals.values()].some((one) => one.reviewStatus === 'open');
    if (reward.isUnderReview) expect(isOpen).toBe(true);
  }
}

function take(shop: MemoryTracking, step: Step, index: number, orders: string[]): void {
  if (step.do === 'buy') {
    orders.push(`order ${orders.length}`);
    shop.buy(orders.at(-1) ?? '', step.who);
  } else if (step.do === 'join') {
    shop.signUp(`friend ${index}`, 'ada-prg');
  } else if (step.do === 'review') {
    review(shop, step.who);
  } else if (step.do === 'decide') {
    const status = shop.state.referrals.get(shop.idOf(step.who))?.reviewStatus;
    if (status === 'open') shop.decideReview(step.who, step.as);
  } else if (step.do === 'grant') {
    const reward = rewardsOf(shop).filter((one) => one.deliveryReason === 'awaiting_operator')[
      step.at
    ];
    if (reward) shop.settle(reward, (row) => ({ ...row, fulfillmentStatus: 'fulfilled' }));
  } else {
    const order = orders[step.order];
    const undone = index % 2 === 0 ? 'refund' : 'dispute';
    if (order !== undefined) adjustOrder(shop, order, index, { ...step, undone });
  }
}

test('at any time, what is not granted is held exactly if disputes and open reviews may take it away', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 24 }), (steps) => {
      const shop = openShop(...RULES);
      for (const name of FRIENDS) shop.signUp(name, 'ada-prg');
      const orders: string[] = [];
      for (const [index, step] of steps.entries()) {
        take(shop, step, index, orders);
        expectSettled(shop);
      }
    }),
    { numRuns: rounds(400, 3_000) },
  );
});
