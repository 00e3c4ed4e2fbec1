import Stripe from 'stripe';
import { badSignature, type SignedBody } from '../../../../platform/http/routes/route.ts';
import { AppError } from '../../../../platform/kit/errors.ts';

/** The maximum age of a signature, and how far ahead Stripe's clock may be. */
const TOLERANCE_S = 300;
/**
 * From this version on, invoices name their subscription and payments their invoice as we read
 * them.
 */
const API_VERSION_MIN = '2025-03-31';

const { webhooks } = new Stripe('none');

/**
 * Parses the event, if one of the secrets signed the body within 300 seconds of `nowMs`. Throws
 * INVALID_REQUEST `invalid_signature`.
 */
export function readEvent(
  { bytes, signature }: Pick<SignedBody, 'bytes' | 'signature'>,
  secrets: readonly string[],
  nowMs: number,
): Stripe.Event {
  const isSigned =
    !isAhead(signature, nowMs) &&
    secrets.some((secret) => isSignedWith(secret, bytes, signature, nowMs));
  if (!isSigned) {
    throw badSignature(
      'The Stripe-Signature does not fit the body, or is not of the last 300 seconds.',
    );
  }
  const event = parse(bytes);
  if (event?.object !== 'event' || typeof event.id !== 'string') {
    throw refuse('snapshot_required', 'This is no snapshot event of Stripe.');
  }
  return event as Stripe.Event;
}

/** The package checks only for signatures that are too old. */
function isAhead(signature: string, nowMs: number): boolean {
  const signedS = Number(/(?:^|,)\s*t=(\d+)/.exec(signature)?.[1] ?? 0);
  return signedS * 1_000 > nowMs + TOLERANCE_S * 1_000;
}

/** The package throws for a wrong signature, and in several ways for a malformed header. */
function isSignedWith(secret: string, bytes: Buffer, signature: string, nowMs: number): boolean {
  const { signature: check } = webhooks;
  try {
    return check?.verifyHeader(bytes, signature, secret, TOLERANCE_S, undefined, nowMs) ?? false;
  } catch {
    return false;
  }
}

function parse(bytes: Buffer): Partial<Stripe.Event> | null {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON.');
  }
}

/** Fails with INVALID_REQUEST for an event of another account or mode than this connection's. */
export function assertOwn(event: Stripe.Event, livemode: boolean): void {
  if (event.livemode !== livemode) {
    const mode = livemode ? 'live' : 'test';
    throw refuse('livemode_mismatch', `The connection is of ${mode} mode, this event is not.`);
  }
  if (event.account !== undefined) {
    throw refuse('foreign_account', 'This event is of an account that is connected to yours.');
  }
  if ((event.api_version ?? '').slice(0, API_VERSION_MIN.length) < API_VERSION_MIN) {
    throw refuse(
      'api_version_unsupported',
      `This event has the shape of Stripe's API version ${event.api_version}. Give the endpoint ${API_VERSION_MIN} or a later one.`,
    );
  }
}

function refuse(reason: string, message: string): AppError {
  return new AppError('INVALID_REQUEST', message, { reason });
}
