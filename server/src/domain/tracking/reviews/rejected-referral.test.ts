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

const NOW = '2026-11-15T09:30:00.000Z';
const USD = { currency: 'USD', currencyExponent: 2 };
const JOINED = { purpose: 'bonus', eventType: 'signup' } as const;
const STEPS = [
  [0, 100],
  [2, 1_000],
] as const;

const openShop = (...rules: readonly Rule[]) => openMilestoneShop(NOW, rules);
const reject = (shop: MemoryTracking, name: string) => shop.decideReview(name, 'rejected');

describe('a rejected referral', () => {
  test('counts for no milestone: a mug for two friends is lost, and due again with the next one', () => {
    const shop = openShop(['mug', milestoneTerms('referrals', 2), JOINED]);
    shop.signUp('fake', 'ada-prg');
    shop.signUp('bob', 'ada-prg');
    review(shop, 'fake');
    reject(shop, 'fake');
    expect(rewardsOf(shop)).toMatchObject([
      { fulfillmentStatus: 'cancelled', void: { reasonCode: 'milestone_lost' } },
    ]);
    shop.signUp('cleo', 'ada-prg');
    expect(rewardsOf(shop)).toMatchObject([{ fulfillmentStatus: 'pending', void: null }]);
    expect(shop.signupOf('cleo').explanation?.rules).toMatchObject([
      { isRegained: true, calculation: { milestone: { value: '2', rejected: '1', at: '2' } } },
    ]);
  });

  test('keeps a milestone due that others carry, even one that it had reached itself', () => {
    const shop = openShop(['mug', milestoneTerms('referrals', 2), JOINED]);
    shop.signUp('bob', 'ada-prg');
    shop.signUp('fake', 'ada-prg');
    review(shop, 'fake');
    shop.signUp('cleo', 'ada-prg');
    reject(shop, 'fake');
    expect(rewardsOf(shop)).toMatchObject([{ void: null, isUnderReview: false }]);
  });

  test('leaves what was granted', () => {
    const shop = openShop(['mug', milestoneTerms('purchases', 1)]);
    shop.signUp('fake', 'ada-prg');
    shop.buy('1', 'fake');
    for (const reward of rewardsOf(shop)) {
      shop.settle(reward, (row) => ({ ...row, fulfillmentStatus: 'fulfilled' }));
    }
    review(shop, 'fake');
    reject(shop, 'fake');
    expect(rewardsOf(shop)).toMatchObject([{ fulfillmentStatus: 'fulfilled', void: null }]);
  });

  test('counts for no step, in any window, and the explanation says how much was left out', () => {
    const shop = openShop(
      ['ever', tieredTerms('purchases', STEPS)],
      ['month', tieredTerms('purchases', STEPS, { window: 'calendar_month' })],
    );
    shop.signUp('fake', 'ada-prg');
    shop.signUp('bob', 'ada-prg');
    shop.buy('1', 'fake');
    review(shop, 'fake');
    reject(shop, 'fake');
    shop.buy('2', 'fake');
    shop.buy('3', 'bob');
    const step = { value: '1', rejected: '2', from: '0' };
    expect(shop.rewardsOf('2')).toEqual([]);
    expect(shop.rewardsOf('3')).toMatchObject([
      { amountMinor: 10n, arithmetic: { tier: { window: 'all_time', ...step } } },
      { amountMinor: 10n, arithmetic: { tier: { window: 'calendar_month', ...step } } },
    ]);
  });

  test('keeps its results, and the refunds that signals of risk count', () => {
    const shop = openShop(['share', tieredTerms('purchases', STEPS)]);
    shop.signUp('fake', 'ada-prg');
    shop.buy('1', 'fake');
    shop.refund('all of 1', '1', '1000');
    review(shop, 'fake');
    const of = (name: string) =>
      [...shop.state.figures.values()].find(
        (one) => one.subject === 'ada' && one.part === 'prg' && one.name === name,
      )?.value;
    const results = () => [of('referred'), of('customers'), of('refunded')];
    expect(results()).toEqual([1n, 1n, 1n]);
    reject(shop, 'fake');
    expect(results()).toEqual([1n, 1n, 1n]);
  });
});

// What happens, in whatever order

const BAD = 'fake';
const GOOD = ['bob', 'cleo'] as const;
const aStep = fc.oneof(
  fc.record({ do: fc.constant('buy' as const), who: fc.constantFrom(BAD, ...GOOD) }),
  fc.record({ do: fc.constant('join' as const), who: fc.constantFrom('dan', 'eve', 'fay') }),
  fc.record({
    do: fc.constantFrom('refund' as const, 'dispute' as const, 'lose' as const, 'undo' as const),
    order: fc.nat(9),
  }),
  fc.record({ do: fc.constant('grant' as const), at: fc.nat(9) }),
);
type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

const RULES: readonly Rule[] = [
  ['mug', milestoneTerms('referrals', 2, { milestone: every('referrals', 2n) }), JOINED],
  ['two', milestoneTerms('purchases', 2, { milestone: every('purchases', 2n) })],
  ['much', milestoneTerms('revenue', 1_500, { ...USD, milestone: every('revenue', 1_500n) })],
  [
    'own',
    milestoneTerms('purchases', 2, { milestone: every('purchases', 2n) }),
    { beneficiaryRole: 'referee' },
  ],
  ['ever', tieredTerms('purchases', STEPS)],
  ['month', tieredTerms('revenue', STEPS, { ...USD, window: 'calendar_month' })],
];

function every(measure: 'referrals' | 'purchases' | 'revenue', at: bigint) {
  return { measure, at, repeat: true } as const;
}

/** Plays the steps, and a last purchase that asks for the measures. Without the rejected referral if it is not `isThere`. */
function play(steps: readonly Step[], rejectAt: number, isThere: boolean) {
  const shop = openShop(...RULES);
  if (isThere) shop.signUp(BAD, 'ada-prg');
  for (const name of GOOD) shop.signUp(name, 'ada-prg');
  const orders: string[] = [];
  const granted = new Set<string>();
  const rejectIt = () => {
    review(shop, BAD);
    reject(shop, BAD);
  };
  const joined = new Set<string>();
  for (const [index, step] of steps.entries()) {
    if (isThere && index === rejectAt) rejectIt();
    if (step.do === 'join') {
      if (!joined.has(step.who)) shop.signUp(step.who, 'ada-prg');
      joined.add(step.who);
    } else if (step.do === 'buy') {
      const order = `order ${orders.length}`;
      orders.push(step.who === BAD && !isThere ? '' : order);
      if (step.who !== BAD || isThere) shop.buy(order, step.who);
    } else if (step.do === 'grant') {
      const due = milestonesOf(shop).filter((one) => one.fulfillmentStatus === 'pending');
      const reward = isThere ? due[step.at] : undefined;
      if (!reward || reward.void !== null || reward.isUnderReview || reward.isDisputed) continue;
      granted.add(nameOf(shop, reward));
      shop.settle(reward, (row) => ({ ...row, fulfillmentStatus: 'fulfilled' }));
    } else {
      const order = orders[step.order] ?? '';
      if (order !== '') adjustOrder(shop, order, index, { do: step.do });
    }
  }
  if (isThere && rejectAt >= steps.length) rejectIt();
  shop.buy('last', 'bob');
  const due = milestonesOf(shop).filter(({ void: voided }) => voided === null);
  return {
    granted,
    due: new Map(due.map((one) => [nameOf(shop, one), one.isDisputed])),
    steps: shop
      .rewardsOf('last')
      .flatMap(({ ruleId, arithmetic: { tier } }) =>
        tier ? [[ruleId, tier.value, tier.from]] : [],
      ),
  };
}

const milestonesOf = (shop: MemoryTracking) =>
  rewardsOf(shop).filter(({ milestone }) => milestone !== null);

function nameOf(shop: MemoryTracking, reward: ReturnType<typeof rewardsOf>[number]): string {
  const people = ['ada', BAD, ...GOOD];
  const isThem = (name: string) =>
    name === reward.beneficiaryParticipantId ||
    idOf(shop, name) === reward.beneficiaryParticipantId;
  return `${reward.ruleId} ${people.find(isThem)} ${reward.arithmetic.milestone?.at}`;
}

function idOf(shop: MemoryTracking, name: string): string | null {
  const known = shop.state.participants.byRef.get(`individual ${name}`);
  return known?.id ?? null;
}

test('whenever a referral is rejected, what was not granted is as if it had never been there', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 24 }), fc.nat(24), (steps, rejectAt) => {
      const dirty = play(steps, rejectAt, true);
      const clean = play(steps, rejectAt, false);
      const open = (due: ReadonlyMap<string, boolean>) =>
        [...due].filter(([name]) => !dirty.granted.has(name)).sort();
      expect(open(dirty.due)).toEqual(open(clean.due));
      expect(dirty.steps).toEqual(clean.steps);
    }),
    { numRuns: rounds(300, 2_000) },
  );
});
