import Stripe from 'stripe';
import type { DeliverAnswer, LockedOut } from '../../../../domain/rewards/delivery/provider.ts';

const { errors } = Stripe;
const MESSAGE_MAX = 300;

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
  const message = messageOf(error);
  if (isLockedOut(error)) return { state: 'locked_out', message };
  const { statusCode } = error;
  // Stripe keeps a 500 of its own under the key. Anything else that is no refusal may be a word of
  // somebody on the way, while the call goes on.
  if (statusCode === undefined || statusCode >= 500) {
    return { state: 'unknown', isAnswered: statusCode === 500 };
  }
  const isBusy = statusCode === 409 || statusCode === 429;
  return { state: isBusy ? 'retry' : 'refused', message };
}

/** What an error of a question answers; throws one that answers nothing. */
export function judgeQuestion(error: unknown): LockedOut {
  if (!(error instanceof errors.StripeError) || !isLockedOut(error)) throw error;
  return { state: 'locked_out', message: messageOf(error) };
}

/** The key was revoked, or may not do this: nothing is wrong with the Reward. */
function isLockedOut(error: InstanceType<typeof errors.StripeError>): boolean {
  return (
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError
  );
}

/** For the log: what Stripe says, without what looks like a key. */
function messageOf({ statusCode, code, message, requestId }: StripeErrorFacts): string {
  const said = message.replace(/\b[a-z]k_(?:test|live)_[\w*]+/g, '…').slice(0, MESSAGE_MAX);
  return [statusCode, code, said, requestId && `(${requestId})`].filter(Boolean).join(' ');
}

type StripeErrorFacts = Pick<
  InstanceType<typeof errors.StripeError>,
  'statusCode' | 'code' | 'message' | 'requestId'
>;

/** Whether Stripe does not have what was asked for. */
export function isMissing(error: unknown): boolean {
  return error instanceof errors.StripeError && error.code === 'resource_missing';
}
