import type { Queryable } from '../../../platform/db/driver.ts';
import type { CursorPage, NumberPage } from '../../../platform/http/routes/paging.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import type { Referral } from '../event-schema.ts';
import { EVENT, type EventRow, REFERRAL } from '../store.ts';

export async function listEventsByNumber(
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
export interface EventFilter {
  readonly participantId: string | null;
  readonly processingState: TrackedEvent['processingState'] | null;
}

/** Newest first. */
export async function listEventPage(
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

export async function findEvent(
  db: Queryable,
  projectId: string,
  eventId: string,
): Promise<EventRow | undefined> {
  const [row] = await db.query<EventRow>(
    `select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e where e.project_id = $1 and e.id = $2`,
    [projectId, eventId],
  );
  return row;
}

/** Facts with that id that were Events, from every source of the Project. */
export async function listEventIdsBySource(
  db: Queryable,
  projectId: string,
  sourceEventId: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select k.answer->>'eventId' as id from
       (select s.id from sources s where s.project_id = $1) as asked
     cross join lateral (select r.answer from source_keys r
       where r.project_id = $1 and r.source_namespace_id = asked.id and r.source_event_id = $2
       offset 0) as k
     where k.answer->>'eventId' is not null`,
    [projectId, sourceEventId],
  );
  return rows.map(({ id }) => id);
}

/** A person's signup, if it was sent without an id. */
export async function listUnnamedSignupIds(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select e.id from signups s
     join events e on e.project_id = $1 and e.id = s.event_id and e.source_event_id is null
     where s.project_id = $1 and s.participant_id = $2`,
    [projectId, participantId],
  );
  return rows.map(({ id }) => id);
}

export async function isEvent(db: Queryable, projectId: string, eventId: string): Promise<boolean> {
  const rows = await db.query('select 1 from events where project_id = $1 and id = $2', [
    projectId,
    eventId,
  ]);
  return rows.length > 0;
}

export async function listEventsOf(
  db: Queryable,
  projectId: string,
  participantId: string,
  limit: number,
): Promise<EventRow[]> {
  return db.query<EventRow>(
    `select ${EVENT}, e.project_id as "projectId", e.created_at as "createdAt",
       e.updated_at as "updatedAt" from events e
     where e.project_id = $1 and e.participant_id = $2 order by e.number desc limit $3`,
    [projectId, participantId, limit],
  );
}

export async function findReferral(
  db: Queryable,
  projectId: string,
  referralId: string,
): Promise<Referral | undefined> {
  const [row] = await db.query<Referral>(
    `select ${REFERRAL} from referrals where project_id = $1 and id = $2`,
    [projectId, referralId],
  );
  return row;
}

/** Null means any. */
export interface ReferralFilter {
  readonly programId: string | null;
  readonly referrerParticipantId: string | null;
  readonly refereeParticipantId: string | null;
}

/** Newest first, below an id. */
export function listReferralPage(
  db: Queryable,
  projectId: string,
  filter: ReferralFilter,
  page: CursorPage,
): Promise<Referral[]> {
  const params: unknown[] = [projectId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = ['project_id = $1'];
  const { programId, referrerParticipantId: referrer, refereeParticipantId: referee } = filter;
  let order = '';
  const equal = (column: string, value: string) => conditions.push(`${column} = ${bind(value)}`);
  // See `listEventPage`.
  const only = (column: string, value: string) => {
    const asked = bind(value);
    conditions.push(`${column} >= ${asked} and ${column} <= ${asked}`);
    order = `${column} desc, `;
  };
  if (referee !== null) equal('referee_participant_id', referee);
  if (referrer !== null) only('referrer_participant_id', referrer);
  if (programId !== null) {
    if (referrer === null && referee === null) only('program_id', programId);
    else equal('program_id', programId);
  }
  if (page.beforeId !== null) conditions.push(`id < ${bind(page.beforeId)}`);
  return db.query<Referral>(
    `select ${REFERRAL} from referrals where ${conditions.join(' and ')}
     order by ${order}id desc limit ${bind(page.limit + 1)}`,
    params,
  );
}

export function listReferralsOf(
  db: Queryable,
  projectId: string,
  referrerId: string,
  limit: number,
): Promise<Referral[]> {
  return db.query<Referral>(
    `select ${REFERRAL} from referrals
     where project_id = $1 and referrer_participant_id = $2 order by id desc limit $3`,
    [projectId, referrerId, limit],
  );
}

/** Number that could not be decided and are not retried automatically; at most `most`. */
export async function countFailed(db: Queryable, projectId: string, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (select 1 from events
     where project_id = $1 and processing_state = 'failed' and number > 0 limit $2) as found`,
    [projectId, most],
  );
  return row?.count ?? 0;
}

export async function listProperties(
  db: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<{ id: string; properties: unknown }[]> {
  return db.query(
    `select id, normalized_facts->'properties' as properties from events
     where project_id = $1 and id = any($2::text[])`,
    [projectId, eventIds],
  );
}
