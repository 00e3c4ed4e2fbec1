import type { Queryable } from '../db/driver.ts';
import { AppError } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { ApiVersions } from './api-versions.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import {
  collectIds,
  type EventEnvelope,
  type FindParties,
  type FindProperties,
  renderEvent,
} from './render-event.ts';
import { findHead, listFeedEvents } from './store.ts';

export interface FeedDeps {
  readonly reads: Queryable;
  readonly keyring: Keyring;
  readonly apiVersions: ApiVersions;
  readonly findParties: FindParties;
  readonly findProperties: FindProperties;
}

/**
 * One page of a Project's feed, in commit order. `next` is where to go on: the cursor
 * sent, when there is nothing new. Ends with INVALID_REQUEST for a cursor that is not of
 * this feed, or that lies ahead of it (a database put back to an older state): going on
 * from there would skip what is written next.
 */
export async function listEvents(
  deps: FeedDeps,
  project: { readonly id: string; readonly environment: 'live' | 'sandbox' },
  query: { after: string | null; limit: number; apiVersion: string },
): Promise<{ events: EventEnvelope[]; next: string }> {
  const after = query.after === null ? 0 : decodeCursor(deps.keyring, project.id, query.after);
  const rows = await listFeedEvents(deps.reads, project.id, after, query.limit);
  if (rows.length === 0 && after > 0) await assertReached(deps, project.id, after);
  const [$party, $properties] = await Promise.all([
    deps.findParties(project.id, collectIds(rows, '$party')),
    deps.findProperties(project.id, collectIds(rows, '$properties')),
  ]);
  return {
    events: rows.map((row) =>
      renderEvent(row, project, deps.apiVersions, query.apiVersion, { $party, $properties }),
    ),
    next: encodeCursor(deps.keyring, project.id, rows.at(-1)?.position ?? after),
  };
}

async function assertReached(deps: FeedDeps, projectId: string, position: number): Promise<void> {
  const head = await findHead(deps.reads, projectId);
  if (head && position <= head.feedPosition) return;
  throw new AppError('INVALID_REQUEST', 'Invalid request: after lies ahead of the feed.', {
    reason: 'cursor_ahead',
    details: [{ path: 'after', issue: 'lies ahead of the feed: the database is older than it' }],
  });
}
