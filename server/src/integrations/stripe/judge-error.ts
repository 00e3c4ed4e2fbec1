import Stripe from 'stripe';
import type { DeliverAnswer } from '../../rewards/provider.ts';

const { errors } = Stripe;

/**
 * What an error of a call that changes something says about whether it did. Throws what is no error
 * of Stripe's.
 */
export function judgeError(error: unknown): Exclude<DeliverAnswer, { state: 'delivered' }> {
  if (!(error instanceof errors.StripeError)) throw error;
  // Somebody is at it under the same key, or was, with other words: only asking can tell.
  if (error.code === 'idempotency_key_in_use') return { state: 'unknown', isAnswered: false };
  if (error instanceof errors.StripeIdempotencyError) return { state: 'unknown', isAnswered: true };
  if (error instanceof errors.StripeConnectionError) return { state: 'unknown', isAnswered: false };
  // The key was revoked, or may not do this: nothing is wrong with the Reward.
  if (error instanceof errors.StripeAuthenticationError) return { state: 'retry' };
  if (error instanceof errors.StripePermissionError) return { state: 'retry' };
  if (error instanceof errors.StripeRateLimitError) return { state: 'retry' };
  const { statusCode = 500 } = error;
  if (statusCode === 409) return { state: 'retry' };
  return statusCode < 500 ? { state: 'refused' } : { state: 'unknown', isAnswered: true };
}

/** Whether Stripe does not have what was asked for. */
export function isMissing(error: unknown): boolean {
  return error instanceof errors.StripeError && error.code === 'resource_missing';
}
