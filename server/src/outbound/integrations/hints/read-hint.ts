import { createVerify } from 'node:crypto';
import type { Environment } from '../../../platform/http/access/principal.ts';
import { badSignature } from '../../../platform/http/routes/hook-routes.ts';
import type { SignedBody } from '../../../platform/http/routes/route.ts';
import { AppError, unavailable } from '../../../platform/kit/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { TransferHint } from '../../payouts/transfers/payout.ts';
import { textOf } from '../call-json.ts';
import type { PaypalClient } from '../paypal/client.ts';
import { readEvent } from '../stripe/events/read-event.ts';

/** What a provider's webhook announces news of. */
export type Hint =
  | { readonly about: 'transfer'; readonly transfer: Omit<TransferHint, 'connectionId'> }
  /** A payee's account. */
  | { readonly about: 'account'; readonly accountId: string }
  | { readonly about: 'nothing' };

const NOTHING: Hint = { about: 'nothing' };

/** Providers retry for days; anything older is a replay. */
const OLDEST_MS = 3 * DAY_MS;
const AHEAD_MS = 5 * MINUTE_MS;

/**
 * Fails with INVALID_REQUEST `invalid_signature` for a signature that is too old or from the future.
 */
function assertRecent(time: string | null, nowMs: number): void {
  const ms = Date.parse(time ?? '');
  const isRecent = ms >= nowMs - OLDEST_MS && ms <= nowMs + AHEAD_MS;
  if (!isRecent) throw badSignature('The webhook was not sent in the last three days.');
}

function parseSigned(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON.');
  }
}

/**
 * Reads what a PayPal webhook is about. PayPal itself is asked whether it sent it. Throws
 * INVALID_REQUEST `invalid_signature`, or SERVICE_UNAVAILABLE if PayPal cannot be asked.
 */
export async function readPaypalHint(
  client: PaypalClient,
  webhookId: string,
  signed: SignedBody,
  nowMs: number,
): Promise<Hint> {
  const transmission = {
    auth_algo: signed.header('paypal-auth-algo'),
    cert_url: signed.header('paypal-cert-url'),
    transmission_id: signed.header('paypal-transmission-id'),
    transmission_sig: signed.signature,
    transmission_time: signed.header('paypal-transmission-time'),
    webhook_id: webhookId,
  };
  const isWhole = Object.values(transmission).every((value) => value !== '');
  if (!isWhole) throw badSignature('A header of PayPal’s signature is missing.');
  assertRecent(transmission.transmission_time, nowMs);
  const event = parseSigned(signed.bytes);
  // The original bytes: reserialized JSON may differ and no longer match the signature.
  const question = `${JSON.stringify(transmission).slice(0, -1)},"webhook_event":${signed.bytes}}`;
  const { status, body } = await client
    .call('POST', '/v1/notifications/verify-webhook-signature', question)
    .catch((cause) => {
      throw unavailable('PayPal could not be reached to verify the webhook.', undefined, cause);
    });
  if (status >= 500 || status === 429 || status === 401) {
    throw unavailable('PayPal could not be reached to verify the webhook.');
  }
  if (textOf(body, 'verification_status') !== 'SUCCESS') {
    throw badSignature('This webhook was not sent by PayPal.');
  }
  return hintOf(event);
}

function hintOf(event: unknown): Hint {
  const item = textOf(event, 'resource', 'payout_item', 'sender_item_id');
  const header = ['resource', 'batch_header'] as const;
  const key = textOf(event, ...header, 'sender_batch_header', 'sender_batch_id');
  // A key consists of the payout's id and the attempt.
  const payoutId = item ?? key?.replace(/_\d+$/, '') ?? null;
  const reference =
    textOf(event, 'resource', 'payout_batch_id') ?? textOf(event, ...header, 'payout_batch_id');
  if (payoutId === null) return NOTHING;
  return { about: 'transfer', transfer: { payoutId, reference, failureCode: null } };
}

/**
 * Reads what a Wise webhook is about, if Wise's key signed the bytes. Fails with INVALID_REQUEST
 * `invalid_signature`.
 */
export function readWiseHint(
  publicKey: string,
  profileId: string,
  { bytes, signature }: SignedBody,
  nowMs: number,
): Hint {
  const isSigned = createVerify('RSA-SHA256').update(bytes).verify(publicKey, signature, 'base64');
  if (!isSigned) throw badSignature('The X-Signature-SHA256 does not match the body.');
  const event = parseSigned(bytes);
  assertRecent(textOf(event, 'sent_at') ?? textOf(event, 'data', 'occurred_at'), nowMs);
  const reference = textOf(event, 'data', 'resource', 'id') ?? textOf(event, 'data', 'transfer_id');
  const profile =
    textOf(event, 'data', 'resource', 'profile_id') ?? textOf(event, 'data', 'profile_id');
  const isTransfer = textOf(event, 'event_type')?.startsWith('transfers#');
  if (!isTransfer || reference === null || profile !== profileId) return NOTHING;
  const failureCode = textOf(event, 'data', 'failure_reason_code');
  return { about: 'transfer', transfer: { payoutId: null, reference, failureCode } };
}

/**
 * Reads what a Stripe event is about, if the secret signed it in the last 300 seconds. Throws
 * INVALID_REQUEST `invalid_signature` or `livemode_mismatch`.
 */
export async function readStripeHint(
  secret: string,
  environment: Environment,
  signed: SignedBody,
  nowMs: number,
): Promise<Hint> {
  const event = await readEvent(signed, [secret], nowMs);
  if (event.livemode !== (environment === 'live')) {
    throw new AppError('INVALID_REQUEST', 'This event is from the other mode (live or test).', {
      reason: 'livemode_mismatch',
    });
  }
  const about: unknown = event.data.object;
  const id = textOf(about, 'id');
  if (event.type === 'account.updated' && id !== null) return { about: 'account', accountId: id };
  const payoutId = textOf(about, 'metadata', 'payoutId');
  if (!event.type.startsWith('transfer.') || payoutId === null) return NOTHING;
  return { about: 'transfer', transfer: { payoutId, reference: null, failureCode: null } };
}
