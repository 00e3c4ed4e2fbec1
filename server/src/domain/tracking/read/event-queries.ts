import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow, hasRow, listRows, listValues } from '../../../platform/db/statements.ts';
import { findListLength } from '../../../platform/feed/queries.ts';
import {
  cursorList,
  decodeNumberCursor,
  encodeNumberCursor,
  type OrderedNumberPage,
  offsetPage,
  pageRange,
} from '../../../platform/http/routes/paging.ts';
import {
  COUNTED_MAX,
  type ListCount,
  type Looked,
  toListCount,
} from '../../../platform/http/routes/totals.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import type { CountEvents, Event, ListEvents } from '../event-schema.ts';
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

/** The conditions of a filter: an index finds what is `indexed`, in its `order`; what is `other` is only compared. */
function writeEventFilter(projectId: string, filter: EventFilter) {
  const params: unknown[] = [projectId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const indexed = ['e.project_id = $1'];
  const others: string[] = [];
  const orderBy: string[] = [];
  const { participantId, processingState: state } = filter;
  // With this comparison and order only the index that begins with the column fits: with an
  // equality the planner may scan all numbers instead.
  const only = (column: string, value: string) => {
    const asked = bind(value);
    indexed.push(`${column} >= ${asked} and ${column} <= ${asked}`);
    orderBy.push(column);
  };
  if (participantId !== null) only('e.participant_id', participantId);
  if (state !== null && (participantId !== null || state === 'processed')) {
    others.push(`e.processing_state = ${bind(state)}`);
  } else if (state !== null) {
    indexed.push(`e.processing_state <> 'processed' and e.number > 0`);
    only('e.processing_state', state);
  }
  return { params, bind, indexed, others, orderBy: [...orderBy, 'e.number'] };
}

/** Newest or oldest first. */
async function listEventPage(
  db: Queryable,
  projectId: string,
  filter: EventFilter,
  { order, behind, limit }: OrderedNumberPage,
): Promise<(EventRow & { readonly number: number })[]> {
  const { params, bind, indexed, others, orderBy } = writeEventFilter(projectId, filter);
  const conditions = [...indexed, ...others];
  if (behind !== null) {
    conditions.push(`e.number ${order === 'asc' ? '>' : '<'} ${bind(behind)}`);
  }
  const rows = await db.query<EventRow & { number: bigint }>(
    `select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e
     where ${conditions.join(' and ')}
     order by ${orderBy.map((column) => `${column} ${order}`).join(', ')} limit ${bind(limit)}`,
    params,
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** The number that match, of as many rows as are counted at most; exact without filters. */
export async function countEvents(
  db: Queryable,
  projectId: string,
  query: CountEvents,
): Promise<ListCount> {
  const { type, ...filter } = toEventQuery(query);
  if (type === null && filter.participantId === null && filter.processingState === null) {
    return { count: await findListLength(db, projectId, 'events'), isMore: false };
  }
  const { params, bind, indexed, others, orderBy } = writeEventFilter(projectId, filter);
  if (type !== null) others.push(`e.type = ${bind(type)}`);
  const matching = ['true', ...others].join(' and ');
  const [row] = await db.query<Looked>(
    `select count(*)::integer as looked, count(*) filter (where ${matching})::integer as count
     from (select e.type, e.processing_state from events e where ${indexed.join(' and ')}
       order by ${orderBy.map((column) => `${column} desc`).join(', ')}
       limit ${bind(COUNTED_MAX + 1)}) as e`,
    params,
  );
  return toListCount(row ?? { looked: 0, count: 0 });
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

function toEventQuery({ participantId, processingState, type }: CountEvents): EventQuery {
  return {
    participantId: participantId ?? null,
    processingState: processingState ?? null,
    type: type ?? null,
  };
}

/**
 * Newest first: by offset the whole list, by cursor the rest of it. Oldest first by cursor only. Fails with
 * INVALID_REQUEST for an offset into a filtered list or one with the oldest first, and for an invalid cursor.
 */
export async function listEvents(
  db: Queryable,
  projectId: string,
  query: ListEvents,
): Promise<EventList> {
  const { offset, cursor, order = 'desc' } = query;
  const asked = toEventQuery(query);
  const needsCursor = order === 'asc' || Object.values(asked).some((value) => value !== null);
  if (offset !== undefined && (needsCursor || cursor !== undefined)) {
    throw invalid('offset', 'cannot be combined with filters, order or a cursor; use nextCursor');
  }
  const list = cursorList('events', order);
  if (needsCursor || cursor !== undefined) {
    const behind = cursor === undefined ? null : decodeNumberCursor(list, projectId, cursor);
    const page = { order, behind, limit: LIMIT };
    const { rows, lookedTo } = await findEventPage(db, projectId, asked, page);
    const nextCursor = lookedTo === null ? null : encodeNumberCursor(list, projectId, lookedTo);
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
    nextCursor: page.hasMore ? encodeNumberCursor(list, projectId, range.above + 1) : null,
  };
}

/** `lookedTo` is null if nothing follows. */
async function findEventPage(
  db: Queryable,
  projectId: string,
  { type, ...filter }: EventQuery,
  { order, behind, limit }: OrderedNumberPage,
): Promise<EventPage> {
  const found: NumberedEvent[] = [];
  let lookedTo = behind;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const page = { order, behind: lookedTo, limit: limit + 1 };
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
  for (let behind: number | null = null; ; ) {
    const range: OrderedNumberPage = { order: 'desc', behind, limit: size };
    const page = await findEventPage(db, projectId, query, range);
    yield page.rows.map(presentEvent);
    if (page.lookedTo === null) return;
    behind = page.lookedTo;
  }
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
