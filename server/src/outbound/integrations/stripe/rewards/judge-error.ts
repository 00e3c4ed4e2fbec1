import type Stripe from 'stripe';
import type { DeliverAnswer, LockedOut } from '../../../../domain/rewards/delivery/provider.ts';
import { isStripeError } from '../stripe-error.ts';

const MESSAGE_MAX = 300;

/** Whether a call that failed may have changed something. Rethrows errors that are not Stripe's. */
export function judgeError(error: unknown): Exclude<DeliverAnswer, { state: 'delivered' }> {
  if (!isStripeError(error)) throw error;
  // Another request uses or used the same key, maybe with other parameters: only a lookup can tell.
  if (error.code === 'idempotency_key_in_use') return { state: 'unknown', isAnswered: false };
  if (isStripeError(error, 'StripeIdempotencyError')) return { state: 'unknown', isAnswered: true };
  if (isStripeError(error, 'StripeConnectionError')) return { state: 'unknown', isAnswered: false };
  const message = messageOf(error);
  if (isLockedOut(error)) return { state: 'locked_out', message };
  const { statusCode } = error;
  // Stripe stores its own 500 under the key. Other 5xx may come from a proxy while the call goes
  // on.
  if (statusCode === undefined || statusCode >= 500) {
    return { state: 'unknown', isAnswered: statusCode === 500 };
  }
  const isBusy = statusCode === 409 || statusCode === 429;
  return { state: isBusy ? 'retry' : 'refused', message };
}

/** Interprets the error of a read; rethrows unless it means that access was denied. */
export function judgeQuestion(error: unknown): LockedOut {
  if (!isStripeError(error) || !isLockedOut(error)) throw error;
  return { state: 'locked_out', message: messageOf(error) };
}

/** The key was revoked or lacks a permission: nothing is wrong with the reward. */
function isLockedOut(error: Stripe.errors.StripeError): boolean {
  return (
    isStripeError(error, 'StripeAuthenticationError') ||
    isStripeError(error, 'StripePermissionError')
  );
}

/** For the log: Stripe's message, without anything that looks like a key. */
function messageOf({ statusCode, code, message, requestId }: StripeErrorFacts): string {
  const said = message.replace(/\b[a-z]k_(?:test|live)_[\w*]+/g, '…').slice(0, MESSAGE_MAX);
  return [statusCode, code, said, requestId && `(${requestId})`].filter(Boolean).join(' ');
}

type StripeErrorFacts = Pick<
  Stripe.errors.StripeError,
  'statusCode' | 'code' | 'message' | 'requestId'
>;

/** Whether Stripe does not have the requested object. */
export function isMissing(error: unknown): boolean {
  return isStripeError(error) && error.code === 'resource_missing';
}
