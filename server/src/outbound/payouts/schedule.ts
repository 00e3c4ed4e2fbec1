import { backoffMs } from '../../platform/kit/backoff.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/kit/instant.ts';

/** The first wait between two calls about a transfer; each further one is twice as long. */
const FIRST_MS = MINUTE_MS;
const LONGEST_MS = HOUR_MS;

/** How often a refused order is retried before the payout fails. */
export const REFUSALS_MAX = 10;

/** After a provider has not answered for this long, operators may record the result. */
export const SILENT_MS = DAY_MS;

/** The wait after this many consecutive calls without a change. */
export function waitAfter(tries: number): number {
  return backoffMs(tries, FIRST_MS, LONGEST_MS);
}
