import type { Queryable } from '../../../platform/db/driver.ts';
import { findListLength } from '../../../platform/feed/queries.ts';
import { type NumberPage, offsetPage, pageRange } from '../../../platform/http/routes/paging.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import type { Event, ListEvents } from '../event-schema.ts';
import type { EventRow } from '../store.ts';
import { presentEvent } from './present-event.ts';
import { type EventFilter, listEventPage, listEventsByNumber } from './read-store.ts';

const LIMIT = 50;
/** Maximum pages searched for Events of a type, so that every call ends. */
const LOOKS_MAX = 20;
const CURSOR = /^events ([1-9][0-9]{0,14})$/;

export interface EventList {
  readonly success: true;
  readonly data: Event[];
  readonly hasMore: boolean;
  readonly nextOffset: string | null;
  readonly nextCursor: string | null;
}

/** The filters of Events. There is no index by type: others are skipped. */
export type EventQuery = EventFilter & { readonly type: string | null };

interface EventPage {
  readonly rows: NumberedEvent[];
  readonly lookedTo: number | null;
}

type NumberedEvent = EventRow & { readonly number: number };

/**
 * Newest first: by offset the whole list, by cursor the rest of it. Fails with INVALID_REQUEST for
 * an offset into a filtered list, and for an invalid cursor.
 */
export async function listEvents(
  db: Queryable,
  projectId: string,
  query: ListEvents,
): Promise<EventList> {
  const { offset, cursor } = query;
  const asked: EventQuery = {
    participantId: query.participantId ?? null,
    processingState: query.processingState ?? null,
    type: query.type ?? null,
  };
  const isNarrowed = Object.values(asked).some((value) => value !== null);
  if (offset !== undefined && (isNarrowed || cursor !== undefined)) {
    throw invalid('offset', 'goes neither with filters nor with a cursor: use nextCursor');
  }
  if (isNarrowed || cursor !== undefined) {
    const below = cursor === undefined ? null : decode(cursor);
    const { rows, lookedTo } = await findEventPage(db, projectId, asked, {
      below,
      limit: LIMIT,
    });
    const nextCursor = lookedTo === null ? null : encode(lookedTo);
    const hasMore = nextCursor !== null;
    return { success: true, data: rows.map(presentEvent), hasMore, nextOffset: null, nextCursor };
  }
  const passed = Number(offset ?? '0');
  const length = await findListLength(db, projectId, 'events');
  const range = pageRange(length, passed);
  const rows = await listEventsByNumber(db, projectId, range);
  const page = offsetPage(length, passed);
  return {
    success: true,
    data: rows.map(presentEvent),
    ...page,
    nextCursor: page.hasMore ? encode(range.above + 1) : null,
  };
}

/** `lookedTo` is null if there is nothing more below. */
async function findEventPage(
  db: Queryable,
  projectId: string,
  { type, ...filter }: EventQuery,
  { below, limit }: NumberPage,
): Promise<EventPage> {
  const found: NumberedEvent[] = [];
  let lookedTo = below;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const page = { below: lookedTo, limit: limit + 1 };
    const seen = await listEventPage(db, projectId, filter, page);
    found.push(...seen.filter((row) => type === null || row.type === type));
    const last = found[limit - 1];
    if (last && found.length > limit) return { rows: found.slice(0, limit), lookedTo: last.number };
    if (seen.length <= limit) return { rows: found, lookedTo: null };
    lookedTo = seen.at(-1)?.number ?? lookedTo;
  }
  return { rows: found, lookedTo };
}

/** The rest of the list, newest first, a page at a time; a page may have fewer Events, or none. */
export async function* walkEvents(
  db: Queryable,
  projectId: string,
  query: EventQuery,
  size: number,
): AsyncGenerator<Event[]> {
  for (let below: number | null = null; ; ) {
    const page: EventPage = await findEventPage(db, projectId, query, { below, limit: size });
    yield page.rows.map(presentEvent);
    if (page.lookedTo === null) return;
    below = page.lookedTo;
  }
}

function encode(number: number): string {
  return Buffer.from(`events ${number}`).toString('base64url');
}

function decode(cursor: string): number {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!match) throw invalid('cursor', 'is not a cursor of this list');
  return Number(match[1]);
}
