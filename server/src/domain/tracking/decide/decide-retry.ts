import { backoffMs } from '../../../platform/kit/backoff.ts';
import { addMs, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { TrackedEvent } from '../batch/facts.ts';

const FIRST_MS = 30_000;
const ATTEMPTS_MAX = 20;

/** An Event whose decision failed again: retried at increasing intervals, finally given up. */
export function postponeEvent<E extends Pick<TrackedEvent, 'attemptCount'>>(
  event: E,
  now: Instant,
): E & Pick<TrackedEvent, 'processingState' | 'processingReason' | 'nextAttemptAt'> {
  const attemptCount = event.attemptCount + 1;
  if (attemptCount >= ATTEMPTS_MAX) {
    return {
      ...event,
      attemptCount,
      processingState: 'failed',
      processingReason: 'attempts_exhausted',
      nextAttemptAt: null,
    };
  }
  return {
    ...event,
    attemptCount,
    processingState: 'pending',
    processingReason: 'retry_scheduled',
    nextAttemptAt: addMs(now, backoffMs(attemptCount, FIRST_MS, HOUR_MS)),
  };
}
