import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { findLastBefore, listEntries, listPositions } from './entry-store.ts';
import { findHead } from './store.ts';
import type { FeedEntry } from './writer/project-write.ts';

/** Where these events stand in their Project's feed; those that it does not have are left out. */
export function findPositions(
  source: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return listPositions(source, projectId, eventIds);
}

/** Positions behind `after`, up to and with `upTo`. */
export interface FeedRange {
  readonly after: number;
  readonly upTo: number;
}

/** What the feed has, now, of a moment and later. */
export async function findRangeSince(
  source: Queryable,
  projectId: string,
  since: Instant,
): Promise<FeedRange> {
  const upTo = (await findHead(source, projectId))?.feedPosition ?? 0;
  return { after: await findLastBefore(source, projectId, upTo, since), upTo };
}

/** In order. */
export function findEntries(
  source: Queryable,
  projectId: string,
  { after, upTo }: FeedRange,
): Promise<FeedEntry[]> {
  return listEntries(source, projectId, after, upTo);
}
