import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { isStripeError } from './stripe-error.ts';

type Kind = keyof typeof Stripe.errors;
type Make = new (raw: { message: string; statusCode: number }) => Error;

const { errors } = Stripe;
const kinds = Object.keys(errors).filter(
  (name) =>
    name === 'StripeError' || Object.getPrototypeOf(errors[name as Kind]) === errors.StripeError,
) as Kind[];
const make = (kind: Kind) => new (errors[kind] as Make)({ message: 'No.', statusCode: 400 });

test('an error of the package is one of Stripe, of its own kind and of no other', () => {
  expect(kinds.length).toBeGreaterThan(8);
  for (const kind of kinds) {
    const error = make(kind);
    expect(isStripeError(error)).toBe(true);
    expect(kinds.filter((other) => isStripeError(error, other))).toEqual([kind]);
  }
});

test('no other error is, whatever its fields say', () => {
  const others = [
    new Error('socket hang up'),
    Object.assign(new Error('It broke.'), { code: 'ECONNRESET', type: 'system' }),
    { type: 'StripeAPIError', rawType: 'api_error', message: 'No.' },
    'StripeAPIError',
    null,
    undefined,
  ];
  expect(others.filter((other) => isStripeError(other))).toEqual([]);
});
