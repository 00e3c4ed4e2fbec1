import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, hasRow, listRows } from '../../platform/db/statements.ts';
import type { FeedDeps } from '../../platform/feed/list-events.ts';
import type { OrderedPage } from '../../platform/http/routes/paging.ts';
import {
  COUNTED_MAX,
  type ListCount,
  type Looked,
  toListCount,
} from '../../platform/http/routes/totals.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { findParticipants, findParties } from '../participants/queries.ts';
import { listPurchasesByKey } from './batch/adjustment-store.ts';
import type { Event, ListedReferral, Referral } from './event-schema.ts';
import type { SourceRef } from './intake/normalize-billing.ts';
import { findEventById, listEventsOf } from './read/event-queries.ts';
import { type Explanation, presentExplanation } from './read/explanation.ts';
import { presentEvent } from './read/present-event.ts';
import type { Source } from './schema.ts';
import { listReferralsOfReferees, REFERRAL } from './store.ts';

/** The callers' own fields of these Events, in their current state: empty once a person was erased. */
async function findProperties(
  db: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  if (eventIds.length === 0) return new Map();
  const rows = await listProperties(db, projectId, eventIds);
  return new Map(rows.map((row) => [row.id, row.properties]));
}

/** The purchase of a fact, as counted: for an invoice that was reported twice, the first. */
export async function findPurchase(
  tx: Tx,
  projectId: string,
  fact: SourceRef,
): Promise<{ readonly amountMinor: bigint } | undefined> {
  const [purchase] = await listPurchasesByKey(tx, projectId, [fact]);
  return purchase?.isCounted ? { amountMinor: BigInt(purchase.amountMinor) } : undefined;
}

const SHOWN_MAX = 50;

/** A person's referral, their referees and their Events: the newest of each. */
export async function findStory(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<{ referredBy: Referral | null; referrals: Referral[]; events: Event[] }> {
  const [[referredBy], referrals, events] = await Promise.all([
    listReferralsOfReferees(db, projectId, [participantId]),
    listReferralsOf(db, projectId, participantId, SHOWN_MAX),
    listEventsOf(db, projectId, participantId, SHOWN_MAX),
  ]);
  return { referredBy: referredBy ?? null, referrals, events: events.map(presentEvent) };
}

/** The candidates and rules considered for an Event; empty while it waits. Fails with NOT_FOUND. */
export async function explainEvent(
  db: Queryable,
  projectId: string,
  eventId: string,
): Promise<Explanation> {
  const event = await findEventById(db, projectId, eventId);
  if (!event) throw notFound('event');
  return presentExplanation(event.explanation);
}

/** Newest or oldest first, one more than the page size; each with its sides. */
export async function listReferrals(
  db: Queryable,
  projectId: string,
  filter: ReferralFilter,
  page: OrderedPage,
): Promise<ListedReferral[]> {
  const rows = await listReferralPage(db, projectId, filter, page);
  const ids = rows.flatMap((row) => [row.referrerParticipantId, row.refereeParticipantId]);
  const people = await findParticipants(db, projectId, ids);
  const sideOf = (row: Referral, id: string) => {
    const person = people.get(id);
    if (!person) throw new Error(`Referral ${row.id} names unknown ${id}.`);
    return { participantId: id, kind: person.kind, externalId: person.externalId };
  };
  return rows.map((row) => ({
    ...row,
    referrer: sideOf(row, row.referrerParticipantId),
    referee: sideOf(row, row.refereeParticipantId),
  }));
}

/** Lookups for the fields of events that are filled in when they are read. */
export function makeFeedLookups(
  reads: Queryable,
): Pick<FeedDeps, 'findParties' | 'findProperties'> {
  return {
    findParties: (projectId, ids) => findParties(reads, projectId, ids),
    findProperties: (projectId, ids) => findProperties(reads, projectId, ids),
  };
}

export const findReferralById = findRow<Referral, [projectId: string, referralId: string]>(
  `select ${REFERRAL} from referrals where project_id = $1 and id = $2`,
);

/** Whether somebody referred a participant in a Program. */
/** What happened, and to whom; each id must be given once. */
export const listEventSubjects = listRows<
  { readonly id: string; readonly type: string; readonly participantId: string },
  [projectId: string, eventIds: readonly string[]]
>(`select e.id, e.type, e.participant_id as "participantId"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = asked_id offset 0) as e`);

export const isReferred = hasRow<[projectId: string, programId: string, participantId: string]>(
  `select 1 from referrals
   where project_id = $1 and program_id = $2 and referee_participant_id = $3`,
);

/** Null means any. */
export interface ReferralFilter {
  readonly programId: string | null;
  readonly referrerParticipantId: string | null;
  readonly refereeParticipantId: string | null;
}

/** The conditions of a filter: an index finds what is `indexed`, in its `order`; what is `other` is only compared. */
function writeReferralFilter(
  projectId: string,
  { programId, referrerParticipantId: referrer, refereeParticipantId: referee }: ReferralFilter,
) {
  const params: unknown[] = [projectId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const indexed = ['project_id = $1'];
  const others: string[] = [];
  const orderBy: string[] = [];
  // See `listEventPage`.
  const only = (column: string, value: string) => {
    const asked = bind(value);
    indexed.push(`${column} >= ${asked} and ${column} <= ${asked}`);
    orderBy.push(column);
  };
  if (referee !== null) indexed.push(`referee_participant_id = ${bind(referee)}`);
  if (referrer !== null) only('referrer_participant_id', referrer);
  if (programId !== null) {
    if (referrer === null && referee === null) only('program_id', programId);
    else others.push(`program_id = ${bind(programId)}`);
  }
  return { params, bind, indexed, others, orderBy: [...orderBy, 'id'] };
}

/** Newest or oldest first, one more than the page size. */
function listReferralPage(
  db: Queryable,
  projectId: string,
  filter: ReferralFilter,
  { order, behindId, limit }: OrderedPage,
): Promise<Referral[]> {
  const { params, bind, indexed, others, orderBy } = writeReferralFilter(projectId, filter);
  const conditions = [...indexed, ...others];
  if (behindId !== null) conditions.push(`id ${order === 'asc' ? '>' : '<'} ${bind(behindId)}`);
  return db.query<Referral>(
    `select ${REFERRAL} from referrals where ${conditions.join(' and ')}
     order by ${orderBy.map((column) => `${column} ${order}`).join(', ')} limit ${bind(limit + 1)}`,
    params,
  );
}

/** The number that match, of as many rows as are counted at most. */
export async function countReferrals(
  db: Queryable,
  projectId: string,
  filter: ReferralFilter,
): Promise<ListCount> {
  const { params, bind, indexed, others, orderBy } = writeReferralFilter(projectId, filter);
  const matching = ['true', ...others].join(' and ');
  const [row] = await db.query<Looked>(
    `select count(*)::integer as looked, count(*) filter (where ${matching})::integer as count
     from (select program_id from referrals where ${indexed.join(' and ')}
       order by ${orderBy.map((column) => `${column} desc`).join(', ')}
       limit ${bind(COUNTED_MAX + 1)}) as found`,
    params,
  );
  return toListCount(row ?? { looked: 0, count: 0 });
}

const listReferralsOf = listRows<
  Referral,
  [projectId: string, referrerId: string, limit: number]
>(`select ${REFERRAL} from referrals
     where project_id = $1 and referrer_participant_id = $2 order by id desc limit $3`);

/** Number that could not be decided and are not retried automatically; at most `most`. */
export async function countFailedEvents(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (select 1 from events
     where project_id = $1 and processing_state = 'failed' and number > 0 limit $2) as found`,
    [projectId, most],
  );
  return row?.count ?? 0;
}

const listProperties = listRows<
  { id: string; properties: unknown },
  [projectId: string, eventIds: readonly string[]]
>(`select id, normalized_facts->'properties' as properties from events
     where project_id = $1 and id = any($2::text[])`);

const SOURCE = `id, project_id as "projectId", name, key, kind, enabled,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** All of them, because a Project has few. Oldest first. */
export const listSources = listRows<Source, [projectId: string]>(
  `select ${SOURCE} from sources where project_id = $1 order by created_at, id`,
);
