import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';

/**
 * A change takes effect this long after it was saved, so that the owner can notice a change by
 * somebody else.
 */
export const COOLING_MS = DAY_MS;

/** A record of details: payouts go to it from one time until another, or indefinitely. */
export interface Use {
  readonly id: string;
  readonly usedFrom: Instant;
  readonly usedUntil: Instant | null;
  /** When a payout failed because of it. */
  readonly failedAt: Instant | null;
}

/** The record in use at a time. */
export function inUse<U extends Use>(records: readonly U[], now: Instant): U | undefined {
  return records.find(
    ({ usedFrom, usedUntil }) => usedFrom <= now && (usedUntil === null || usedUntil > now),
  );
}

/** The pending record, if there is one. */
export function waiting<U extends Use>(records: readonly U[], now: Instant): U | undefined {
  return records.find(({ usedFrom }) => usedFrom > now);
}

export interface DetailsChange {
  readonly deleted: readonly string[];
  /** How the record in use changes; null if it does not. */
  readonly kept: Pick<Use, 'id' | 'usedUntil' | 'failedAt'> | null;
  /** When the saved record takes effect; null if it exists already. */
  readonly insertedFrom: Instant | null;
  /** False for a repeat. */
  readonly isChange: boolean;
}

/**
 * How saving details changes an owner's records. At most two are left: the one in use and a pending
 * one. The first record is used at once. A change is pending for a day, and a newer one replaces it
 * and starts a new wait. Saving the pending details again changes nothing, so a repeat does not
 * extend the wait. Saving the details in use cancels the pending change and confirms that they are
 * right although a payout failed.
 */
export function decideDetailsChange<U extends Use>(
  records: readonly U[],
  isSame: (record: U) => boolean,
  now: Instant,
): DetailsChange {
  const current = inUse(records, now);
  const next = waiting(records, now);
  const except = (...left: U[]) => records.filter((one) => !left.includes(one)).map(({ id }) => id);
  if (!current) return { deleted: except(), kept: null, insertedFrom: now, isChange: true };
  if (isSame(current)) {
    const kept = { id: current.id, usedUntil: null, failedAt: null };
    const isChange = next !== undefined || current.failedAt !== null;
    return { deleted: except(current), kept, insertedFrom: null, isChange };
  }
  if (next && isSame(next)) {
    return { deleted: except(current, next), kept: null, insertedFrom: null, isChange: false };
  }
  const usedFrom = addMs(now, COOLING_MS);
  return {
    deleted: except(current),
    kept: { id: current.id, usedUntil: usedFrom, failedAt: current.failedAt },
    insertedFrom: usedFrom,
    isChange: true,
  };
}
