import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { findLastBefore, listEntries, listPositions } from './entry-store.ts';
import { clearTexts, findHead, insertHead, listFeedEvents } from './store.ts';
import type { FeedEntry, ProjectWrite } from './writer/project-write.ts';

/** Clears free text about these Rewards and payouts in past events. */
export function forgetTexts({ tx, projectId }: ProjectWrite, ids: readonly string[]): void {
  if (ids.length > 0) clearTexts(tx, projectId, ids);
}

/** Number of rows of a list: the last number that `ProjectWrite.nextNumber` assigned. */
export async function findListLength(
  db: Queryable,
  projectId: string,
  list: string,
): Promise<number> {
  const head = await findHead(db, projectId);
  return head?.numbers[list] ?? 0;
}

/** Creates the head of a new Project, in the Project's transaction. */
export const openFeed = insertHead;

/** The positions of these events in their Project's feed; events that it does not have are omitted. */
export const findPositions = listPositions;

/** The next events after a position, as stored. */
export const findFeedEvents = listFeedEvents;

/** The position of the newest event; 0 if there is none. */
export async function findFeedEnd(db: Queryable, projectId: string): Promise<number> {
  return (await findHead(db, projectId))?.feedPosition ?? 0;
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
