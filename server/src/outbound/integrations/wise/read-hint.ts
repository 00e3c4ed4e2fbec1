import { createVerify } from 'node:crypto';
import { badSignature, type SignedBody } from '../../../platform/http/routes/route.ts';
import { assertRecent, type Hint, NOTHING, parseSigned } from '../hints/hint.ts';
import { textOf } from '../read-json.ts';

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
  if (!isSigned) throw badSignature('The X-Signature-SHA256 does not fit the body.');
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
