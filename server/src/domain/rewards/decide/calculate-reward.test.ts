import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  customTerms,
  discountTerms,
  percentTerms,
  someTerms,
} from '../../../../test/program-book.ts';
import { ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { calculateReward } from './calculate-reward.ts';

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
