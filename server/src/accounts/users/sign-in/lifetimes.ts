import { addMs, DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';

/** A session ends after this time without use, */
export const IDLE_MS = 12 * HOUR_MS;
/** and at the latest this long after it began. */
export const LIFE_MS = 7 * DAY_MS;
/** The last-seen time is saved at most this often. */
export const SEEN_STEP_MS = 5 * MINUTE_MS;
export const INVITATION_MS = 3 * DAY_MS;

export interface SessionTimes {
  readonly createdAt: Instant;
  readonly seenAt: Instant;
}

/** When a session ends, unless it is used before. */
export function endOf({ createdAt, seenAt }: SessionTimes): Instant {
  const [idle, last] = [addMs(seenAt, IDLE_MS), addMs(createdAt, LIFE_MS)];
  if (idle < last) return idle;
  return last;
}

export function isLive(session: SessionTimes, now: Instant): boolean {
  return now < endOf(session);
}

/** Sessions that began and were last seen after these times are live. */
export function liveSince(now: Instant): { createdAfter: Instant; seenAfter: Instant } {
  return { createdAfter: addMs(now, -LIFE_MS), seenAfter: addMs(now, -IDLE_MS) };
}
