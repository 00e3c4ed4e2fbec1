import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { findLastBefore, listEntries, listPositions } from './entry-store.ts';
import { findHead } from './store.ts';
import type { FeedEntry } from './writer/project-write.ts';

/** The positions of these events in their Project's feed; events that it does not have are omitted. */
export function findPositions(
  db: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return listPositions(db, projectId, eventIds);
}

/** Positions after `after`, up to and including `upTo`. */
export interface FeedRange {
  readonly after: number;
  readonly upTo: number;
}

/** The current entries of a given time or later. */
export async function findRangeSince(
  db: Queryable,
  projectId: string,
  since: Instant,
): Promise<FeedRange> {
  const upTo = (await findHead(db, projectId))?.feedPosition ?? 0;
  return { after: await findLastBefore(db, projectId, upTo, since), upTo };
}

/** In order. */
export function findEntries(
  db: Queryable,
  projectId: string,
  { after, upTo }: FeedRange,
): Promise<FeedEntry[]> {
  return listEntries(db, projectId, after, upTo);
}
