import type { Environment } from '../../../platform/http/access/principal.ts';
import type { SignedBody } from '../../../platform/http/routes/route.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { type Hint, NOTHING } from '../hints/hint.ts';
import { textOf } from '../read-json.ts';
import { readEvent } from '../stripe/events/read-event.ts';

/**
 * Reads what a Stripe event is about, if the secret signed it in the last 300 seconds. Throws
 * INVALID_REQUEST `invalid_signature` or `livemode_mismatch`.
 */
export function readStripeHint(
  secret: string,
  environment: Environment,
  signed: SignedBody,
  nowMs: number,
): Hint {
  const event = readEvent(signed, [secret], nowMs);
  if (event.livemode !== (environment === 'live')) {
    throw new AppError('INVALID_REQUEST', 'This event is of the other mode.', {
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
