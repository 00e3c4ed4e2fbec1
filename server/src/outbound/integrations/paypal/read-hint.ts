import { badSignature, type SignedBody } from '../../../platform/http/routes/route.ts';
import { unavailable } from '../../../platform/kit/errors.ts';
import { assertRecent, type Hint, NOTHING, parseSigned } from '../hints/hint.ts';
import { textOf } from '../read-json.ts';
import type { PaypalClient } from './client.ts';

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
      throw unavailable('PayPal could not be asked about the webhook.', undefined, cause);
    });
  if (status >= 500 || status === 429 || status === 401) {
    throw unavailable('PayPal could not be asked about the webhook.');
  }
  if (textOf(body, 'verification_status') !== 'SUCCESS') {
    throw badSignature('PayPal did not send this.');
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
