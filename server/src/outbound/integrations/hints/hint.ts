import { badSignature } from '../../../platform/http/routes/route.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { TransferHint } from '../../payouts/transfers/hint-transfer.ts';

/** What a webhook of a provider says that there may be news of. */
export type Hint =
  | { readonly about: 'transfer'; readonly transfer: Omit<TransferHint, 'connectionId'> }
  /** An account of a payee's. */
  | { readonly about: 'account'; readonly accountId: string }
  | { readonly about: 'nothing' };

export const NOTHING: Hint = { about: 'nothing' };

/** Providers send again for days what was not taken; what is older is a replay. */
const OLDEST_MS = 3 * DAY_MS;
const AHEAD_MS = 5 * MINUTE_MS;

/** Ends with INVALID_REQUEST `invalid_signature` for what was signed long ago, or in the future. */
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
