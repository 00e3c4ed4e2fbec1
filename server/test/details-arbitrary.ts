import fc from 'fast-check';
import type { Details } from '../src/outbound/payouts/details/details.ts';

const letters = (minLength: number, maxLength: number, from: string) =>
  fc.string({ unit: fc.constantFrom(...from), minLength, maxLength });
const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const bank = {
  type: fc.constant('bank' as const),
  holderName: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 140 }),
  country: fc.constantFrom('GB', 'DE', 'US', 'NO'),
  currency: fc.constantFrom('EUR', 'GBP', 'USD'),
};

/** Details of every kind, with the lengths that they can have. */
export const anyDetails: fc.Arbitrary<Details> = fc.oneof(
  fc.record({
    type: fc.constantFrom('paypal' as const, 'wise' as const),
    email: fc
      .tuple(letters(1, 64, 'abcXYZ.+-_09'), letters(1, 20, 'abcxyz'))
      .map(([local, domain]) => `${local}@${domain}.example`),
  }),
  fc.record({
    ...bank,
    iban: fc
      .tuple(fc.constantFrom('GB', 'DE', 'NO'), letters(13, 32, alphanumeric))
      .map((parts) => parts.join('')),
    bic: fc.option(letters(8, 11, alphanumeric)),
  }),
  fc.record({
    ...bank,
    accountNumber: letters(4, 34, alphanumeric),
    routingCode: letters(2, 20, alphanumeric),
  }),
  fc.record({
    type: fc.constant('stripe_connect' as const),
    accountId: letters(8, 40, alphanumeric).map((text) => `acct_${text}`),
  }),
);
