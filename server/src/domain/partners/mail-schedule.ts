import { backoffMs } from '../../platform/kit/backoff.ts';
import { addMs, type Instant, MINUTE_MS } from '../../platform/kit/instant.ts';

/** Ten attempts over 43 hours, to survive a mail server that is down for a day. */
export const MAIL_TRIES_MAX = 10;
const FIRST_WAIT_MS = 5 * MINUTE_MS;

/** When to retry after the given attempt (from 1) failed at `now`; null to give up. */
export function nextMailTry(tries: number, now: Instant): Instant | null {
  if (tries >= MAIL_TRIES_MAX) return null;
  return addMs(now, backoffMs(tries, FIRST_WAIT_MS));
}
