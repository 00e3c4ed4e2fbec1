import type { Clock } from '../kit/clock.ts';
import { type Instant, laterOf, toInstant } from '../kit/instant.ts';
import type { Head } from './store.ts';

/** A Project's time. A process whose clock is behind never turns it back. */
export function timeOf(head: Head, clock: Clock): Instant {
  return laterOf(toInstant(clock.nowMs()), head.lastAt);
}
