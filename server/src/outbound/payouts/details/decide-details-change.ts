import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';

/** A change is used this long after it was saved: time for its owner to notice one not their own. */
export const COOLING_MS = DAY_MS;

/** A record of details: payouts go to it from one moment until another, or for good. */
export interface Use {
  readonly id: string;
  readonly usedFrom: Instant;
  readonly usedUntil: Instant | null;
  /** When a payout to it failed because of it. */
  readonly failedAt: Instant | null;
}

/** The record that is used at a time. */
export function inUse<U extends Use>(records: readonly U[], now: Instant): U | undefined {
  return records.find(
    ({ usedFrom, usedUntil }) => usedFrom <= now && (usedUntil === null || usedUntil > now),
  );
}

/** The record that waits for its time, if one does. */
export function waiting<U extends Use>(records: readonly U[], now: Instant): U | undefined {
  return records.find(({ usedFrom }) => usedFrom > now);
}

export interface DetailsChange {
  readonly deleted: readonly string[];
  /** What becomes of the record in use, if it does not stay as it is. */
  readonly kept: Pick<Use, 'id' | 'usedUntil' | 'failedAt'> | null;
  /** From when on what was saved is used; null if it is there already. */
  readonly insertedFrom: Instant | null;
  /** False for a repeat. */
  readonly isChange: boolean;
}

/**
 * What saving details does to an owner's records, at most two of which are left: what is used and
 * what waits. The first is used at once. A change waits, and a newer one takes its place and waits
 * anew. Saving what waits already changes nothing, so a repeat does not wait longer; saving what
 * is used calls the change off, and is a word that these are right though a payout failed.
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
