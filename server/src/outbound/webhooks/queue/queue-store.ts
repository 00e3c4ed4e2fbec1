import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listValues, sendWrite } from '../../../platform/db/statements.ts';
import {
  bigint,
  boolean,
  insertRows,
  integer,
  text,
  timestamptz,
} from '../../../platform/db/write-rows.ts';
import type { FeedRow } from '../../../platform/feed/render-event.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ClaimedDelivery } from '../dispatch/decide-outcome.ts';

export interface NewDelivery {
  readonly queueId: string;
  readonly position: number;
}

/** Due before anything else, whatever the clocks of the processes say. */
const AT_ONCE = '1970-01-01T00:00:00.000Z';

const insertDeliveryRows = insertRows<NewDelivery>('webhook_deliveries', {
  queue_id: text(({ queueId }) => queueId),
  position: bigint(({ position }) => position),
  attempts: integer(() => 0),
  is_retry: boolean(() => false),
  due_at: timestamptz(() => AT_ONCE),
});

export function insertDeliveries(
  tx: Tx,
  projectId: string,
  deliveries: readonly NewDelivery[],
  queuedAt: Instant,
): void {
  insertDeliveryRows(tx, projectId, deliveries, { queued_at: queuedAt });
}

/** How many deliveries this process can lease for an endpoint. */
export interface Room {
  readonly queueId: string;
  readonly fresh: number;
  readonly retries: number;
}

/** Two times that decide what is due. */
export interface DueTimes {
  readonly now: Instant;
  /** A lease that ends later was taken while a clock was ahead, and is invalid. */
  readonly latestEnd: Instant;
}

/** The condition for leasing `w`, by the parameters of the two times. */
const isDue = (now: string, latestEnd: string) => `w.due_at <= ${now}
  and (w.leased_until is null or w.leased_until <= ${now} or w.leased_until > ${latestEnd})`;

export interface Claim extends DueTimes {
  readonly leaseId: string;
  readonly leasedUntil: Instant;
  readonly rooms: readonly Room[];
  /** For every queue of the project that is not among them. */
  readonly roomOfOthers: Omit<Room, 'queueId'>;
}

/**
 * Leases do not wait for the database's disk. After a crash that lost one, the delivery is sent again, as after a
 * crash before its result was saved.
 */
export const commitWithoutSync = sendWrite('set local synchronous_commit = off');

type StoredEvent = Omit<FeedRow, 'position'> & { readonly position: bigint };

/**
 * Leases what is due and has room. First attempts and retries of every endpoint are selected
 * separately, so that none hides another. Skips rows that another process is leasing, and for this
 * time rows that another has released since the statement began.
 */
export async function claimDeliveries(tx: Tx, projectId: string, claim: Claim) {
  const rows = await tx.query<Omit<ClaimedDelivery, 'event'> & StoredEvent>(
    `with room as (
       select e.id, e.queue_id, coalesce(r.fresh, $6) as fresh, coalesce(r.retries, $7) as retries
       from webhook_endpoints e
       left join unnest($2::text[], $3::integer[], $4::integer[])
         as r (queue_id, fresh, retries) on r.queue_id = e.queue_id
       where e.project_id = $1 and e.queue_id is not null),
     chosen as (
       select room.id as endpoint_id, d.* from room cross join lateral (
         select w.ctid as place from webhook_deliveries w
         where w.project_id = $1 and w.queue_id = room.queue_id and not w.is_retry and ${isDue('$5', '$10')}
         order by w.due_at, w.position limit room.fresh for update skip locked) as d
       union all
       select room.id, d.* from room cross join lateral (
         select w.ctid as place from webhook_deliveries w
         where w.project_id = $1 and w.queue_id = room.queue_id and w.is_retry and ${isDue('$5', '$10')}
         order by w.due_at, w.position limit room.retries for update skip locked) as d),
     claimed as (
       update webhook_deliveries w set lease_id = $8, leased_until = $9
       from chosen c
       where w.project_id = $1 and w.ctid = c.place
       returning c.endpoint_id, w.queue_id, w.position, w.attempts, w.is_retry)
     select c.endpoint_id as "endpointId", c.queue_id as "queueId", c.attempts,
       c.is_retry as "isRetry", f.position, f.id, f.type, f.occurred_at as "occurredAt",
       f.data::text as data
     from claimed c join feed_events f on f.project_id = $1 and f.position = c.position
     order by c.is_retry, f.position`,
    [
      projectId,
      claim.rooms.map(({ queueId }) => queueId),
      claim.rooms.map(({ fresh }) => fresh),
      claim.rooms.map(({ retries }) => retries),
      claim.now,
      claim.roomOfOthers.fresh,
      claim.roomOfOthers.retries,
      claim.leaseId,
      claim.leasedUntil,
      claim.latestEnd,
    ],
  );
  return rows.map(({ position, id, type, occurredAt, data, ...delivery }) => ({
    ...delivery,
    event: { position: Number(position), id, type, occurredAt, data },
  }));
}

/**
 * All non-empty queues, found by one step in the key for each. With `distinct`, every waiting row
 * would be read, which is most expensive when it matters most.
 */
export const QUEUES = `recursive queues (project_id, queue_id) as (
  (select project_id, queue_id from webhook_deliveries order by project_id, queue_id limit 1)
  union all
  select n.project_id, n.queue_id from queues q cross join lateral (
    select w.project_id, w.queue_id from webhook_deliveries w
    where (w.project_id, w.queue_id) > (q.project_id, q.queue_id)
    order by w.project_id, w.queue_id limit 1) as n)`;

export interface DueQueue {
  readonly projectId: string;
  readonly queueId: string;
  /** It no longer belongs to an endpoint. */
  readonly isAbandoned: boolean;
  readonly hasFresh: boolean;
  readonly hasRetries: boolean;
}

const hasDueIn = (project: string) => (kind: string) =>
  `exists (select 1 from webhook_deliveries w
  where w.project_id = ${project} and w.queue_id = d."queueId" and ${kind} and ${isDue('$1', '$2')})`;
const hasDue = hasDueIn('d."projectId"');
const hasDueOf = hasDueIn('$3');

/** In all projects: queues with deliveries to lease, and queues to delete. Not paused ones. */
export function listDueQueues(db: Queryable, { now, latestEnd }: DueTimes): Promise<DueQueue[]> {
  return db.query<DueQueue>(
    `with ${QUEUES}
     select d.*, w.* from (
       select d.project_id as "projectId", d.queue_id as "queueId", e.id is null as "isAbandoned",
         e.queue_id is not null as "isOpen"
       from queues d left join webhook_endpoints e
         on e.project_id = d.project_id and coalesce(e.queue_id, e.paused_queue_id) = d.queue_id
       offset 0) as d
     cross join lateral (select
       d."isOpen" and ${hasDue('not w.is_retry')} as "hasFresh",
       d."isOpen" and ${hasDue('w.is_retry')} as "hasRetries" offset 0) as w
     where d."isAbandoned" or w."hasFresh" or w."hasRetries"`,
    [now, latestEnd],
  );
}

/** The non-empty queues of one project, found in the same way. */
const QUEUES_OF = `recursive queues (queue_id) as (
  (select queue_id from webhook_deliveries where project_id = $3 order by queue_id limit 1)
  union all
  select n.queue_id from queues q cross join lateral (
    select w.queue_id from webhook_deliveries w
    where w.project_id = $3 and w.queue_id > q.queue_id
    order by w.queue_id limit 1) as n)`;

const nextDue = (kind: string) => `(select w.due_at from webhook_deliveries w
  where w.project_id = $3 and w.queue_id = d."queueId" and ${kind} and w.due_at > $1
  order by w.due_at limit 1)`;

/** In one project: queues with deliveries, unless they are paused, and when the next of each is due. */
export function listQueuesOf(
  db: Queryable,
  projectId: string,
  { now, latestEnd }: DueTimes,
): Promise<(DueQueue & { readonly nextAt: Instant | null })[]> {
  return db.query(
    `with ${QUEUES_OF}
     select $3::text as "projectId", d."queueId", d."isAbandoned", w.* from (
       select d.queue_id as "queueId", e.id is null as "isAbandoned"
       from queues d left join webhook_endpoints e
         on e.project_id = $3 and coalesce(e.queue_id, e.paused_queue_id) = d.queue_id
       where e.id is null or e.queue_id is not null
       offset 0) as d
     cross join lateral (select
       not d."isAbandoned" and ${hasDueOf('not w.is_retry')} as "hasFresh",
       not d."isAbandoned" and ${hasDueOf('w.is_retry')} as "hasRetries",
       least(${nextDue('not w.is_retry')}, ${nextDue('w.is_retry')}) as "nextAt"
       offset 0) as w`,
    [now, latestEnd, projectId],
  );
}

/** All projects with deliveries. */
export const listProjectsQueued = listValues<string>(
  `select h.project_id as "projectId" from project_heads h where exists
     (select 1 from webhook_deliveries w where w.project_id = h.project_id)`,
);

export interface LeasedDelivery {
  readonly queueId: string;
  readonly position: number;
  readonly leaseId: string;
}

/**
 * The rows that still have their lease, found one by one: for a join the planner would read all
 * waiting rows of the project, because it only knows the size of the average one.
 */
const stillLeased = (types = '', names = '') => `(select found.ctid as place ${names}
  from unnest($2::text[], $3::bigint[], $4::text[] ${types})
    as k (queue_id, position, lease_id ${names})
  cross join lateral (select r.ctid from webhook_deliveries r
    where r.project_id = $1 and r.queue_id = k.queue_id and r.position = k.position
      and r.lease_id = k.lease_id
    for no key update) as found) as d
  where w.project_id = $1 and w.ctid = d.place`;

/** Deletes rows that need no further attempt. Leaves those whose lease another process has. */
export function deleteFinished(tx: Tx, projectId: string, ended: readonly LeasedDelivery[]): void {
  tx.send(`delete from webhook_deliveries w using ${stillLeased()}`, [
    projectId,
    ...leaseColumns(ended),
  ]);
}

export interface DueAgain extends LeasedDelivery {
  readonly attempts: number;
  readonly dueAt: Instant;
}

/** Schedules rows to be sent again. Leaves those whose lease another process has. */
export function updateDueAgain(tx: Tx, projectId: string, again: readonly DueAgain[]): void {
  tx.send(
    `update webhook_deliveries w
     set attempts = d.attempts, is_retry = true, due_at = d.due_at,
       lease_id = null, leased_until = null
     from ${stillLeased(', $5::integer[], $6::timestamptz[]', ', attempts, due_at')}`,
    [
      projectId,
      ...leaseColumns(again),
      again.map(({ attempts }) => attempts),
      again.map(({ dueAt }) => dueAt),
    ],
  );
}

/** Releases unsent rows: they are due as before. Leaves those that another process has. */
export function releaseLeases(tx: Tx, projectId: string, leased: readonly LeasedDelivery[]): void {
  tx.send(
    `update webhook_deliveries w set lease_id = null, leased_until = null
     from ${stillLeased()}`,
    [projectId, ...leaseColumns(leased)],
  );
}

function leaseColumns(leased: readonly LeasedDelivery[]): [string[], number[], string[]] {
  return [
    leased.map(({ queueId }) => queueId),
    leased.map(({ position }) => position),
    leased.map(({ leaseId }) => leaseId),
  ];
}

/**
 * Deletes what was queued or last replayed before a time; rows without that record go by the time
 * of their event. Leaves what is being sent: the attempt decides. Returns the count.
 */
export async function deleteQueuedBefore(
  tx: Tx,
  projectId: string,
  queueId: string,
  { before, now }: { readonly before: Instant; readonly now: Instant },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with dropped as (
       delete from webhook_deliveries w
       where w.project_id = $1 and w.queue_id = $2 and coalesce(w.queued_at,
           (select f.occurred_at from feed_events f
            where f.project_id = $1 and f.position = w.position)) < $3
         and (w.leased_until is null or w.leased_until <= $4)
       returning 1)
     select count(*)::integer as count from dropped`,
    [projectId, queueId, before, now],
  );
  return row?.count ?? 0;
}

/** Deletes a slice of an abandoned queue. */
export async function deleteAbandoned(tx: Tx, projectId: string, queueId: string, limit: number) {
  const rows = await tx.query(
    `delete from webhook_deliveries where project_id = $1 and queue_id = $2 and position in
       (select position from webhook_deliveries where project_id = $1 and queue_id = $2
        limit $3 for update skip locked)
       and not exists (select 1 from webhook_endpoints e
         where e.project_id = $1 and coalesce(e.queue_id, e.paused_queue_id) = $2)
     returning 1`,
    [projectId, queueId, limit],
  );
  return rows.length;
}

export async function listProjectsDueAfter(db: Queryable, latest: Instant): Promise<string[]> {
  const rows = await db.query<{ projectId: string }>(
    `select distinct project_id as "projectId" from webhook_deliveries where due_at > $1`,
    [latest],
  );
  return rows.map(({ projectId }) => projectId);
}

/** Corrects waits longer than any in the schedule, which were written while a clock was ahead. */
export function updateDueAfter(tx: Tx, projectId: string, latest: Instant, now: Instant): void {
  tx.send(
    `update webhook_deliveries set due_at = $3, lease_id = null, leased_until = null
     where project_id = $1 and due_at > $2`,
    [projectId, latest, now],
  );
}
