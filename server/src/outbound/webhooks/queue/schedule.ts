import { backoffMs } from '../../../platform/kit/backoff.ts';
import { addMs, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';

export const ATTEMPTS_MAX = 80;
export const FIRST_WAIT_MS = 30_000;
export const LONGEST_WAIT_MS = HOUR_MS;

/** From the first attempt to the last, if each fails at once. */
export const SCHEDULE_MS = scheduleMs();

/**
 * When to retry after this many attempts (from 1), the last of which failed at `failedAt`; null
 * after the last one. 7 doubling waits and 72 hours, without jitter (D-WH-4).
 */
export function nextAttemptAt(attemptsMade: number, failedAt: Instant): Instant | null {
  if (attemptsMade >= ATTEMPTS_MAX) return null;
  return addMs(failedAt, backoffMs(attemptsMade, FIRST_WAIT_MS, LONGEST_WAIT_MS));
}

function scheduleMs(): number {
  let sum = 0;
  for (let made = 1; made < ATTEMPTS_MAX; made += 1) {
    sum += backoffMs(made, FIRST_WAIT_MS, LONGEST_WAIT_MS);
  }
  return sum;
}

/** A poll of a large backlog takes long: the rest after it is this many times as long. */
const SHARE = 20;
/**
 * A poll can also take long because the database or this process was stalled; due deliveries must
 * not wait for that.
 */
const REST_MAX_MS = 10_000;

export function restAfterPoll(tookMs: number): number {
  return Math.min(SHARE * tookMs, REST_MAX_MS);
}
