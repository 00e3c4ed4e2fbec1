import { addMs, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';

/** When a key ends, and what a rotation changed about it. */
export interface KeyEnd {
  readonly expiresAt: Instant | null;
  readonly rotatedAt: Instant | null;
  /** The expiry that it had before its first rotation; null if none, or if it was not rotated. */
  readonly expiresAtBeforeRotation: Instant | null;
}

/**
 * A rotation ends the old key after a grace period, never later than it would have ended. The new key
 * has the expiry that the old one was created with, even if the old one was rotated before.
 */
export function decideRotation(
  old: KeyEnd,
  now: Instant,
  graceHours: number,
): {
  readonly old: KeyEnd & { readonly expiresAt: Instant };
  readonly newExpiresAt: Instant | null;
} {
  const graceEnd = addMs(now, graceHours * HOUR_MS);
  const expiresAt = old.expiresAt !== null && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
  const newExpiresAt = old.rotatedAt === null ? old.expiresAt : old.expiresAtBeforeRotation;
  return {
    old: { expiresAt, rotatedAt: now, expiresAtBeforeRotation: newExpiresAt },
    newExpiresAt,
  };
}
