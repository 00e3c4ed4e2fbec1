import type Stripe from 'stripe';

type Kind = keyof typeof Stripe.errors;

/**
 * Whether it is an error of Stripe's package, of this kind. Told by the fields that the package sets: its classes are
 * loaded only where Stripe is called.
 */
export function isStripeError(error: unknown, kind?: Kind): error is Stripe.errors.StripeError {
  if (!(error instanceof Error && 'type' in error && 'rawType' in error)) return false;
  return kind === undefined || error.type === kind;
}
