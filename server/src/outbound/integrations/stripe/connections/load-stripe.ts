import type Stripe from 'stripe';

/** Stripe's package is large and many services never call Stripe, so it is loaded with the first use. */
export async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default;
}
