import type { Queryable } from '../db/driver.ts';
import { AppError, notFound } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { findPositions } from './queries.ts';
import { type FeedProject, openEvents, type RenderDeps } from './render-event.ts';
import { findHead, listFeedEvents } from './store.ts';

export interface FeedDeps extends RenderDeps {
  readonly reads: Queryable;
  readonly keyring: Keyring;
}

/** An event for readers: `text` is its envelope in JSON. */
export interface ReadEvent {
  readonly position: number;
  readonly type: string;
  readonly text: string;
}

/**
 * One page of a Project's feed, in commit order. `next` is the cursor to continue with: the cursor
 * sent, if there is nothing new. Fails with INVALID_REQUEST for a cursor that is not of this feed,
 * or is ahead of it.
 */
export async function listEvents(
  deps: FeedDeps,
  project: FeedProject,
  query: { after: string | null; limit: number; apiVersion: string },
): Promise<{ events: ReadEvent[]; next: string }> {
  const after =
    query.after === null ? 0 : decodeCursor(deps.keyring, project.id, query.after, 'after');
  const events = await readEvents(deps, project, after, query);
  if (events.length === 0) await assertReached(deps.reads, project.id, after, 'after');
  return { events, next: encodeCursor(deps.keyring, project.id, events.at(-1)?.position ?? after) };
}

/** The newest events, at most so many, in commit order; `next` continues after them. */
export async function listNewestEvents(
  deps: FeedDeps,
  project: FeedProject,
  { last, apiVersion }: { last: number; apiVersion: string },
): Promise<{ events: ReadEvent[]; next: string }> {
  const head = await findHead(deps.reads, project.id);
  const after = Math.max(0, (head?.feedPosition ?? 0) - last);
  const events = await readEvents(deps, project, after, { limit: last, apiVersion });
  return { events, next: encodeCursor(deps.keyring, project.id, events.at(-1)?.position ?? after) };
}

/** One event by its id. Fails with NOT_FOUND if the feed does not have it. */
export async function findEvent(
  deps: FeedDeps,
  project: FeedProject,
  eventId: string,
  apiVersion: string,
): Promise<ReadEvent> {
  const position = (await findPositions(deps.reads, project.id, [eventId])).get(eventId);
  if (position === undefined) throw notFound('event');
  const [event] = await readEvents(deps, project, position - 1, { limit: 1, apiVersion });
  if (event?.position !== position) throw new Error(`The feed of ${project.id} has a gap.`);
  return event;
}

/** The next events after a position. */
export async function readEvents(
  deps: FeedDeps,
  project: FeedProject,
  after: number,
  { limit, apiVersion }: { limit: number; apiVersion: string },
): Promise<ReadEvent[]> {
  const rows = await listFeedEvents(deps.reads, project.id, after, limit);
  const events = await openEvents(deps, project, rows);
  return events.map(({ row, render }) => ({
    position: row.position,
    type: row.type,
    text: render(apiVersion),
  }));
}

/**
 * Fails with INVALID_REQUEST for a position that the feed has not reached, for example after the
 * database was restored from a backup: continuing there would skip the next events. `path` is the
 * field of the request.
 */
export async function assertReached(
  reads: Queryable,
  projectId: string,
  position: number,
  path: string,
): Promise<void> {
  if (position === 0) return;
  const head = await findHead(reads, projectId);
  if (head && position <= head.feedPosition) return;
  throw new AppError('INVALID_REQUEST', `Invalid request: ${path} is ahead of the feed.`, {
    reason: 'cursor_ahead',
    details: [
      { path, issue: 'is ahead of the feed, because the database is older than the cursor' },
    ],
  });
}
