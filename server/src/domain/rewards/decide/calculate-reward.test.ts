import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  customTerms,
  discountTerms,
  percentTerms,
  someTerms,
} from '../../../../test/program-book.ts';
import { REFUND_POLICIES, ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { adjustReward, calculateReward, divideRounded } from './calculate-reward.ts';

const yen = (amountMinor: bigint) => ({ amountMinor, currency: 'JPY', currencyExponent: 0 });
const everyKind = [someTerms(), percentTerms(1_000), discountTerms(), customTerms()];

test('a fixed amount is given as the terms say, in their currency, whatever was paid', () => {
  const expected = {
    money: { amountMinor: 1_000n, currency: 'USD', currencyExponent: 2 },
    arithmetic: { base: null, rateBps: null, rounding: null, result: '1000' },
  };
  expect(calculateReward(someTerms(), null)).toEqual(expected);
  expect(calculateReward(someTerms(), yen(7n))).toEqual(expected);
  expect(calculateReward(someTerms({ benefitKind: 'credit' }), null)).toEqual(expected);
});

test('a percentage takes the currency of the purchase, is rounded once, and tells how', () => {
  expect(calculateReward(percentTerms(1_250, { roundingPolicy: 'up' }), yen(999n))).toEqual({
    money: { amountMinor: 125n, currency: 'JPY', currencyExponent: 0 },
    arithmetic: { base: '999', rateBps: 1_250, rounding: 'up', result: '125' },
  });
});

test.each([
  ['half_up', 1n],
  ['half_even', 0n],
  ['down', 0n],
  ['up', 1n],
] as const)(
  'half a unit under %s is %d; nothing is no Reward (D-TERM-6)',
  (roundingPolicy, amount) => {
    const calculated = calculateReward(percentTerms(5_000, { roundingPolicy }), yen(1n));
    if (amount === 0n) expect(calculated).toEqual({ skipped: 'zero_amount' });
    else expect(calculated).toMatchObject({ money: { amountMinor: amount } });
  },
);

test('a discount and a quantity have no money', () => {
  expect(calculateReward(discountTerms(), null)).toEqual({
    money: null,
    arithmetic: { base: null, rateBps: 2_000, rounding: null, result: '2000 bps' },
  });
  expect(calculateReward(customTerms(), yen(500n))).toEqual({
    money: null,
    arithmetic: { base: null, rateBps: null, rounding: null, result: '5' },
  });
});

test('a purchase for nothing earns nothing of any kind (D-TRACK-4)', () => {
  for (const terms of everyKind) {
    expect(calculateReward(terms, yen(0n))).toEqual({ skipped: 'zero_amount' });
  }
});

test('without an amount, only a percentage of it cannot be given (D-TRACK-4)', () => {
  const verdicts = everyKind.map((terms) => calculateReward(terms, null));
  expect(verdicts.map((verdict) => ('skipped' in verdict ? verdict.skipped : 'given'))).toEqual([
    'given',
    'amount_missing',
    'given',
    'given',
  ]);
});

test('a share is never above the whole, and computing it again gives the same', () => {
  const cases = fc.record({
    amountMinor: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
    rateBps: fc.integer({ min: 1, max: 10_000 }),
    roundingPolicy: fc.constantFrom(...ROUNDING_POLICIES),
  });
  fc.assert(
    fc.property(cases, ({ amountMinor, rateBps, roundingPolicy }) => {
      const calculated = calculateReward(
        percentTerms(rateBps, { roundingPolicy }),
        yen(amountMinor),
      );
      if ('skipped' in calculated) {
        expect(amountMinor * BigInt(rateBps) < 10_000n).toBe(true);
        return;
      }
      const given = calculated.money?.amountMinor ?? 0n;
      expect(given > 0n && given <= amountMinor).toBe(true);
      const { base, result } = calculated.arithmetic;
      expect([base, result]).toEqual([String(amountMinor), String(given)]);
      if (rateBps === 10_000) expect(given).toBe(amountMinor);
    }),
  );
});

const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n });
const roundings = fc.constantFrom(...ROUNDING_POLICIES);
const refundPolicies = fc.constantFrom(...REFUND_POLICIES);
/** A purchase, what it earned, and the successive refunded totals. */
const histories = fc.record({
  purchaseAmountMinor: amounts,
  rewardAmountMinor: amounts,
  roundingPolicy: roundings,
  refundPolicy: refundPolicies,
  shares: fc.array(fc.nat(1_000), { maxLength: 20 }),
});

test.each([
  // policy, refunded of 9999, net of a Reward of 1000
  ['proportional', 0n, 1_000n],
  ['proportional', 1n, 1_000n],
  ['proportional', 3_333n, 667n],
  ['proportional', 5_000n, 500n],
  ['proportional', 9_998n, 0n],
  ['proportional', 9_999n, 0n],
  ['full', 0n, 1_000n],
  ['full', 1n, 0n],
  ['full', 9_999n, 0n],
  ['none', 1n, 1_000n],
  ['none', 9_999n, 1_000n],
] as const)(
  'under %s, %d refunded of 9999 leaves %d of 1000 (D-RWD-11)',
  (refundPolicy, refunded, net) => {
    const adjusted = adjustReward({
      purchaseAmountMinor: 9_999n,
      refundedTotalMinor: refunded,
      rewardAmountMinor: 1_000n,
      previousNetMinor: 400n,
      refundPolicy,
      roundingPolicy: 'half_up',
    });
    expect(adjusted).toEqual({ newNetMinor: net, signedAmountMinor: net - 400n });
  },
);

test('the net is always the amount plus its adjustments, never negative and never above the amount', () => {
  fc.assert(
    fc.property(histories, ({ shares, ...input }) => {
      let net = input.rewardAmountMinor;
      let sum = 0n;
      for (const share of shares) {
        const refundedTotalMinor = (input.purchaseAmountMinor * BigInt(share)) / 1_000n;
        const step = adjustReward({ ...input, refundedTotalMinor, previousNetMinor: net });
        sum += step.signedAmountMinor;
        net = step.newNetMinor;
        expect(net).toBe(input.rewardAmountMinor + sum);
        expect(net >= 0n && net <= input.rewardAmountMinor).toBe(true);
      }
    }),
  );
});

test('a full refund leaves exactly zero, and undoing everything the exact amount, whatever came between', () => {
  fc.assert(
    fc.property(histories, ({ shares, ...input }) => {
      let net = input.rewardAmountMinor;
      const goTo = (refundedTotalMinor: bigint) => {
        net = adjustReward({ ...input, refundedTotalMinor, previousNetMinor: net }).newNetMinor;
        return net;
      };
      for (const share of shares) goTo((input.purchaseAmountMinor * BigInt(share)) / 1_000n);
      const allGone = goTo(input.purchaseAmountMinor);
      expect(allGone).toBe(input.refundPolicy === 'none' ? input.rewardAmountMinor : 0n);
      expect(goTo(0n)).toBe(input.rewardAmountMinor);
    }),
  );
});

test('a refund beyond the purchase counts as all of it', () => {
  fc.assert(
    fc.property(histories, amounts, ({ shares: _, ...input }, beyond) => {
      const of = (refundedTotalMinor: bigint) =>
        adjustReward({ ...input, refundedTotalMinor, previousNetMinor: 0n }).newNetMinor;
      expect(of(input.purchaseAmountMinor + beyond)).toBe(of(input.purchaseAmountMinor));
    }),
  );
});

test('refunding more never leaves more', () => {
  fc.assert(
    fc.property(histories, fc.nat(1_000), fc.nat(1_000), ({ shares: _, ...input }, one, other) => {
      const netAt = (share: number) => {
        const refundedTotalMinor = (input.purchaseAmountMinor * BigInt(share)) / 1_000n;
        return adjustReward({ ...input, refundedTotalMinor, previousNetMinor: 0n }).newNetMinor;
      };
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(netAt(more) <= netAt(less)).toBe(true);
    }),
  );
});

const numerators = fc.bigInt({ min: 0n, max: 10n ** 22n });
const denominators = fc.bigInt({ min: 1n, max: 10n ** 18n });
const roundingPolicies = fc.constantFrom(...ROUNDING_POLICIES);

test.each([
  // numerator, denominator, [half_up, half_even, down, up]
  [0n, 10n, [0n, 0n, 0n, 0n]],
  [4n, 10n, [0n, 0n, 0n, 1n]],
  [5n, 10n, [1n, 0n, 0n, 1n]],
  [6n, 10n, [1n, 1n, 0n, 1n]],
  [10n, 10n, [1n, 1n, 1n, 1n]],
  [14n, 10n, [1n, 1n, 1n, 2n]],
  [15n, 10n, [2n, 2n, 1n, 2n]],
  [25n, 10n, [3n, 2n, 2n, 3n]],
  [26n, 10n, [3n, 3n, 2n, 3n]],
  [1n, 3n, [0n, 0n, 0n, 1n]],
  [2n, 3n, [1n, 1n, 0n, 1n]],
] as const)(
  '%d / %d is rounded as its policy says (D-TERM-4)',
  (n, d, [halfUp, halfEven, down, up]) => {
    expect(divideRounded(n, d, 'half_up')).toBe(halfUp);
    expect(divideRounded(n, d, 'half_even')).toBe(halfEven);
    expect(divideRounded(n, d, 'down')).toBe(down);
    expect(divideRounded(n, d, 'up')).toBe(up);
  },
);

test('rounding moves a quotient by less than one, and by at most a half where it rounds to the nearest', () => {
  fc.assert(
    fc.property(numerators, denominators, roundingPolicies, (n, d, policy) => {
      const off = divideRounded(n, d, policy) * d - n;
      const size = off < 0n ? -off : off;
      if (policy.startsWith('half')) expect(2n * size <= d).toBe(true);
      expect(size < d).toBe(true);
      if (policy === 'down') expect(off <= 0n).toBe(true);
      if (policy === 'up') expect(off >= 0n).toBe(true);
    }),
  );
});

test('what divides evenly is never rounded', () => {
  fc.assert(
    fc.property(numerators, denominators, roundingPolicies, (quotient, d, policy) => {
      expect(divideRounded(quotient * d, d, policy)).toBe(quotient);
    }),
  );
});

test('an exact half goes up, or to the even neighbour', () => {
  fc.assert(
    fc.property(numerators, denominators, (quotient, d) => {
      const half = (2n * quotient + 1n) * d;
      expect(divideRounded(half, 2n * d, 'half_up')).toBe(quotient + 1n);
      const even = divideRounded(half, 2n * d, 'half_even');
      expect(even % 2n).toBe(0n);
    }),
  );
});
