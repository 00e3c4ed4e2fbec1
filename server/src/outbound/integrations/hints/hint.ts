import { badSignature } from '../../../platform/http/routes/route.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { TransferHint } from '../../payouts/transfers/hint-transfer.ts';

/** What a provider's webhook announces news of. */
export type Hint =
  | { readonly about: 'transfer'; readonly transfer: Omit<TransferHint, 'connectionId'> }
  /** A payee's account. */
  | { readonly about: 'account'; readonly accountId: string }
  | { readonly about: 'nothing' };

export const NOTHING: Hint = { about: 'nothing' };

/** Providers retry for days; anything older is a replay. */
const OLDEST_MS = 3 * DAY_MS;
const AHEAD_MS = 5 * MINUTE_MS;

/**
 * Fails with INVALID_REQUEST `invalid_signature` for a signature that is too old or from the future.
 */
export function assertRecent(time: string | null, nowMs: number): void {
  const ms = Date.parse(time ?? '');
  const isRecent = ms >= nowMs - OLDEST_MS && ms <= nowMs + AHEAD_MS;
  if (!isRecent) throw badSignature('The webhook was not sent in the last three days.');
}

export function parseSigned(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON.');
  }
}
