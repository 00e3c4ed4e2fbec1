import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCY_EXPONENTS } from '../../../../platform/kit/currencies.ts';
import { fromStripeAmount, roundForStripe, toStripeAmount } from './currencies.ts';

describe('amounts at Stripe (D-SUB-2)', () => {
  test.each([
    // currency, ISO minor units, Stripe's amount
    ['USD', 1234n, 1234],
    ['EUR', -5n, -5],
    ['HUF', 1050n, 1050],
    ['TWD', 80045n, 80045],
    ['JPY', 500n, 500],
    ['KRW', 1n, 1],
    ['CLP', 990n, 990],
    // ISO gives the ariary two decimals, Stripe none.
    ['MGA', 1200n, 12],
    ['KWD', 5120n, 5120],
    ['TND', -10n, -10],
    // Whole units, written with two decimals.
    ['ISK', 5n, 500],
    ['UGX', -7n, -700],
  ])('%s %s is %s', (currency, amountMinor, amount) => {
    expect(toStripeAmount(amountMinor, currency)).toBe(amount);
    expect(fromStripeAmount(amount, currency.toLowerCase())).toBe(amountMinor);
    expect(roundForStripe(amountMinor, currency)).toBe(amountMinor);
  });

  test.each([
    ['KWD', 5124n, 5120n],
    ['KWD', -5124n, -5120n],
    ['BHD', 9n, 0n],
    ['MGA', 1299n, 1200n],
  ])('%s %s cannot be carried; of it, %s can', (currency, amountMinor, carried) => {
    expect(toStripeAmount(amountMinor, currency)).toBeUndefined();
    expect(roundForStripe(amountMinor, currency)).toBe(carried);
  });

  test.each(['CLF', 'UYW', 'UYI', 'IQD', 'LYD', 'XXX', ''])(
    '"%s" is no currency of Stripe',
    (currency) => {
      expect(toStripeAmount(100n, currency)).toBeUndefined();
      expect(fromStripeAmount(100, currency)).toBeUndefined();
      expect(roundForStripe(100n, currency)).toBeUndefined();
    },
  );

  test('fractions of what has no decimals, and what is no whole number, are nothing', () => {
    expect(fromStripeAmount(550, 'isk')).toBeUndefined();
    expect(fromStripeAmount(1.5, 'usd')).toBeUndefined();
    expect(fromStripeAmount(2 ** 53, 'usd')).toBeUndefined();
    expect(toStripeAmount(2n ** 53n, 'USD')).toBeUndefined();
  });

  test('what can be carried of any amount comes back as it went, and misses less than a unit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCY_EXPONENTS.keys()),
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        (currency, amountMinor) => {
          const carried = roundForStripe(amountMinor, currency);
          if (carried === undefined) return;
          const amount = toStripeAmount(carried, currency);
          expect(amount).toBeTypeOf('number');
          expect(fromStripeAmount(amount ?? 0, currency)).toBe(carried);
          const missing = amountMinor < 0n ? carried - amountMinor : amountMinor - carried;
          expect(missing >= 0n && missing < 100n).toBe(true);
        },
      ),
    );
  });
});
