import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow, hasRow, listRows, listValues } from '../../../platform/db/statements.ts';
import { findListLength } from '../../../platform/feed/queries.ts';
import { type NumberPage, offsetPage, pageRange } from '../../../platform/http/routes/paging.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import type { Event, ListEvents } from '../event-schema.ts';
import { personOfSignupId } from '../intake/normalize-event.ts';
import { EVENT, type EventRow } from '../store.ts';
import { presentEvent } from './present-event.ts';

async function listEventsByNumber(
  db: Queryable,
  projectId: string,
  range: { readonly above: number; readonly upTo: number },
): Promise<EventRow[]> {
  return db.query<EventRow>(
    `select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e
     where e.project_id = $1 and e.number > $2 and e.number <= $3 order by e.number desc`,
    [projectId, range.above, range.upTo],
  );
}

/** The indexed filters of a list of Events; null means any. */
interface EventFilter {
  readonly participantId: string | null;
  readonly processingState: TrackedEvent['processingState'] | null;
}

/** Newest first. */
async function listEventPage(
  db: Queryable,
  projectId: string,
  filter: EventFilter,
  { below, limit }: NumberPage,
): Promise<(EventRow & { readonly number: number })[]> {
  const params: unknown[] = [projectId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = ['e.project_id = $1'];
  const { participantId, processingState: state } = filter;
  // With this comparison and order only the index that begins with the column fits: with an
  // equality the planner may scan all numbers instead.
  const only = (column: string, value: string) => {
    const asked = bind(value);
    conditions.push(`e.${column} >= ${asked} and e.${column} <= ${asked}`);
    return `e.${column} desc, `;
  };
  let order = '';
  if (participantId !== null) order = only('participant_id', participantId);
  if (state !== null && (participantId !== null || state === 'processed')) {
    conditions.push(`e.processing_state = ${bind(state)}`);
  } else if (state !== null) {
    conditions.push(`e.processing_state <> 'processed' and e.number > 0`);
    order = only('processing_state', state);
  }
  if (below !== null) conditions.push(`e.number < ${bind(below)}`);
  const rows = await db.query<EventRow & { number: bigint }>(
    `select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e
     where ${conditions.join(' and ')} order by ${order}e.number desc limit ${bind(limit)}`,
    params,
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

export const findEventById = findRow<
  EventRow,
  [projectId: string, eventId: string]
>(`select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e where e.project_id = $1 and e.id = $2`);

/** Facts with that id that were Events, from every source of the Project. */
const listEventIdsBySource = listValues<
  string,
  [projectId: string, sourceEventId: string]
>(`select k.answer->>'eventId' as id from
       (select s.id from sources s where s.project_id = $1) as asked
     cross join lateral (select r.answer from source_keys r
       where r.project_id = $1 and r.source_namespace_id = asked.id and r.source_event_id = $2
       offset 0) as k
     where k.answer->>'eventId' is not null`);

/** A person's signup, if it was sent without an id. */
const listUnnamedSignupIds = listValues<
  string,
  [projectId: string, participantId: string]
>(`select e.id from signups s
     join events e on e.project_id = $1 and e.id = s.event_id and e.source_event_id is null
     where s.project_id = $1 and s.participant_id = $2`);

/** For lower layers that only know the id of an Event. */
export const hasEvent = hasRow<[projectId: string, eventId: string]>(
  'select 1 from events where project_id = $1 and id = $2',
);

export const listEventsOf = listRows<
  EventRow,
  [projectId: string, participantId: string, limit: number]
>(`select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e
     where e.project_id = $1 and e.participant_id = $2 order by e.number desc limit $3`);

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
    throw invalid('offset', 'cannot be combined with filters or a cursor; use nextCursor');
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

/** The Events with this id, at most one of each source, or the signup that shows it. */
export async function findEventsBySource(
  db: Queryable,
  projectId: string,
  sourceEventId: string,
): Promise<EventRow[]> {
  const personId = personOfSignupId(sourceEventId);
  const ids =
    personId === null
      ? await listEventIdsBySource(db, projectId, sourceEventId)
      : await listUnnamedSignupIds(db, projectId, personId);
  const rows = await Promise.all(ids.map((id) => findEventById(db, projectId, id)));
  return rows.flatMap((row) => row ?? []);
}
