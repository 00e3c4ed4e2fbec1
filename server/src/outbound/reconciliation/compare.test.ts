import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Believed, compare, totalsOf } from './compare.ts';

const believed = fc.record({
  method: fc.constantFrom('paypal', 'wise', 'stripe_balance'),
  subject: fc.constant('payout' as const),
  id: fc.uuid(),
  currency: fc.constantFrom('USD', 'EUR', null),
  believed: fc.bigInt({ min: -100n, max: 100n }),
  reported: fc.option(fc.bigInt({ min: -100n, max: 100n }), { nil: null }),
});
const aTransfer = (reported: bigint | null): Believed => ({
  method: 'paypal',
  subject: 'payout',
  id: 'pay_1',
  currency: 'USD',
  believed: 1_000n,
  reported,
});

test.each([
  [1_000n, 0n, 'even'],
  [2_000n, 1_000n, 'differs'],
  [0n, -1_000n, 'differs'],
  [null, null, 'unanswered'],
] as const)('1000 believed and %s reported: %s, %s', (reported, drift, verdict) => {
  expect(compare(aTransfer(reported))).toMatchObject({ drift, verdict });
});

test('totals are those of the parts, by method and currency, and add up', () => {
  fc.assert(
    fc.property(fc.array(believed), (list) => {
      const comparisons = list.map(compare);
      const totals = totalsOf(comparisons);
      expect(new Set(totals.map(({ method, currency }) => `${method} ${currency}`)).size).toBe(
        totals.length,
      );
      for (const total of totals) {
        const own = comparisons.filter(
          ({ method, currency }) => method === total.method && currency === total.currency,
        );
        const answered = own.filter(({ reported }) => reported !== null);
        expect(total.compared).toBe(own.length);
        expect(total.unanswered).toBe(own.length - answered.length);
        expect(total.differing).toBe(own.filter(({ verdict }) => verdict === 'differs').length);
        expect(total.drift).toBe(total.reported - total.believed);
        expect(total.believed).toBe(answered.reduce((sum, one) => sum + one.believed, 0n));
      }
      expect(totals.reduce((sum, { compared }) => sum + compared, 0)).toBe(list.length);
    }),
  );
});
