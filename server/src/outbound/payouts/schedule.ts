import { backoffMs } from '../../platform/kit/backoff.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/kit/instant.ts';

/** The first wait between two calls about a transfer; each further one is twice as long. */
const FIRST_MS = MINUTE_MS;
const LONGEST_MS = HOUR_MS;

/** How often what a provider certainly refused is tried anew before the payout has failed. */
export const REFUSALS_MAX = 10;

/** So long a provider must not have answered for people to do it instead. */
export const SILENT_MS = DAY_MS;

/** How long to wait after this many calls in a row that changed nothing. */
export function waitAfter(tries: number): number {
  return backoffMs(tries, FIRST_MS, LONGEST_MS);
}
