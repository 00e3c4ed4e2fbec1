import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { AnsweredAttemptRow, AttemptRow, DeliveryRow } from './delivery.ts';

/** The fields of an endpoint that its deliveries need. */
export interface Target {
  readonly endpointId: string;
  readonly isEnabled: boolean;
  /** The queue of its deliveries; null if an earlier version that deleted queues disabled it. */
  readonly queueId: string | null;
  readonly eventTypes: readonly FeedEventType[] | null;
}

/** Fails with NOT_FOUND. */
export async function getTarget(tx: Tx, projectId: string, endpointId: string): Promise<Target> {
  const [row] = await tx.query<Target>(
    `select id as "endpointId", queue_id is not null as "isEnabled",
       coalesce(queue_id, paused_queue_id) as "queueId", event_types as "eventTypes"
     from webhook_endpoints where project_id = $1 and id = $2`,
    [projectId, endpointId],
  );
  if (!row) throw notFound('webhook endpoint');
  return row;
}

/**
 * Where to look for deliveries: `all` searches queue and history, `queued` and `tried` one of them,
 * `failed` the deliveries that were given up.
 */
export type Walk = 'all' | 'queued' | 'tried' | 'failed';

/**
 * Positions below $4, at most $5, newest first. Each step looks up the next position below, so that
 * as much is read as is found, however many attempts a delivery has. The owner is compared together
 * with the position: only a key that begins with both has this order. With an equality the planner
 * takes any index that begins with the owner, and sorts all of its rows.
 */
const steps = (table: string, column: string, parameter: string, condition = '') => {
  const next = (below: string) => `(select t.${column} as owner, t.position from ${table} t
    where t.project_id = $1 and (t.${column}, t.position) < (${parameter}, ${below}) ${condition}
    order by t.${column} desc, t.position desc limit 1)`;
  return `(with recursive steps (position, step) as (
     select first.position, 1 from ${next('$4')} as first where first.owner = ${parameter}
     union all
     select further.position, steps.step + 1
     from steps cross join lateral ${next('steps.position')} as further
     where steps.step < $5 and further.owner = ${parameter})
   select steps.position from steps)`;
};

const QUEUED = steps('webhook_deliveries', 'queue_id', '$3');
const TRIED = steps('webhook_attempts', 'endpoint_id', '$2');
const FAILED = steps(
  'webhook_attempts',
  'endpoint_id',
  '$2',
  `and t.outcome = 'failed' and not t.is_replayed`,
);

const WALKS: Readonly<Record<Walk, string>> = {
  all: `(select known.position from (${QUEUED} union ${TRIED}) as known
    order by known.position desc limit $5)`,
  queued: QUEUED,
  tried: TRIED,
  failed: FAILED,
};

const ATTEMPT = `a.id, a.started_at as "startedAt", a.outcome,
  a.response_status as "responseStatus", a.latency_ms as "latencyMs",
  a.failure_reason as "failureReason", a.failure_message as "failureMessage"`;

const show = (positions: string) => `select page.position, e.id as "eventId",
    e.type as "eventType", e.occurred_at as "occurredAt",
    d.due_at as "dueAt", d.is_retry as "isRetry", case when d.lease_id is not null then d.leased_until end as "leasedUntil",
    tries.count as "attemptCount", last.*
  from ${positions} as page
  cross join lateral (select f.id, f.type, f.occurred_at from feed_events f
    where f.project_id = $1 and f.position = page.position offset 0) as e
  left join lateral (select w.due_at, w.is_retry, w.lease_id, w.leased_until from webhook_deliveries w
    where w.project_id = $1 and w.queue_id = $3 and w.position = page.position offset 0) as d
    on true
  left join lateral (select ${ATTEMPT}, a.is_replayed as "isReplayed" from webhook_attempts a
    where a.project_id = $1 and a.endpoint_id = $2 and a.position = page.position
    order by a.position desc, a.id desc limit 1) as last on true
  cross join lateral (select count(*)::integer as count from webhook_attempts a
    where a.project_id = $1 and a.endpoint_id = $2 and a.position = page.position) as tries
  order by page.position desc`;

interface StoredDelivery extends Omit<DeliveryRow, 'position' | 'queued' | 'last'> {
  readonly position: bigint;
  readonly dueAt: Instant | null;
  readonly isRetry: boolean | null;
  readonly leasedUntil: Instant | null;
}
type StoredLast =
  | { readonly id: null }
  | (AttemptRow & { readonly isReplayed: boolean; readonly id: string });

function toRow(row: StoredDelivery & StoredLast): DeliveryRow {
  const { position, eventId, eventType, occurredAt, dueAt, isRetry, leasedUntil, attemptCount } =
    row;
  return {
    position: Number(position),
    eventId,
    eventType,
    occurredAt,
    queued: dueAt === null ? null : { dueAt, isRetry: isRetry === true, leasedUntil },
    attemptCount,
    last: row.id === null ? null : row,
  };
}

const LISTS = Object.fromEntries(
  Object.entries(WALKS).map(([walk, positions]) => [walk, show(positions)]),
) as Readonly<Record<Walk, string>>;

interface DeliverySelection {
  readonly walk: Walk;
  readonly below: number;
  readonly limit: number;
}

/** Below a position, newest first. */
export async function listDeliveries(
  tx: Tx,
  projectId: string,
  { endpointId, queueId }: Target,
  { walk, below, limit }: DeliverySelection,
): Promise<DeliveryRow[]> {
  const parameters = [projectId, endpointId, queueId, below, limit];
  const rows = await tx.query<StoredDelivery & StoredLast>(LISTS[walk], parameters);
  return rows.map(toRow);
}

const ONE = show('(select $4::bigint as position)');

/** Undefined if the event is not queued for the endpoint and was never sent to it. */
export async function findDelivery(
  tx: Tx,
  projectId: string,
  { endpointId, queueId }: Target,
  position: number,
): Promise<DeliveryRow | undefined> {
  const parameters = [projectId, endpointId, queueId, position];
  const rows = await tx.query<StoredDelivery & StoredLast>(ONE, parameters);
  return rows.map(toRow).find(({ queued, last }) => queued !== null || last !== null);
}

/** The most recent attempts, newest first. */
export function listAttempts(
  tx: Tx,
  projectId: string,
  { endpointId, position }: { readonly endpointId: string; readonly position: number },
  limit: number,
): Promise<AnsweredAttemptRow[]> {
  return tx.query<AnsweredAttemptRow>(
    `select ${ATTEMPT}, a.response_body as "responseBody" from webhook_attempts a
     where a.project_id = $1 and a.endpoint_id = $2 and a.position = $3
     order by a.position desc, a.id desc limit $4`,
    [projectId, endpointId, position, limit],
  );
}

export interface TroubleRow {
  readonly endpointId: string;
  readonly url: string;
  /** Given up, and not replayed since. */
  readonly failed: number;
  /** Failed, and to be retried. */
  readonly retrying: number;
}

/** For each enabled endpoint; counts stop at `most`. */
export function listTroubles(db: Queryable, projectId: string, most: number) {
  return db.query<TroubleRow>(
    `select e.id as "endpointId", e.url,
       (select count(*)::integer from (select 1 from webhook_attempts a
         where a.project_id = $1 and a.endpoint_id = e.id and a.outcome = 'failed'
           and not a.is_replayed limit $2) as found) as failed,
       (select count(*)::integer from (select 1 from webhook_deliveries d
         where d.project_id = $1 and d.queue_id = e.queue_id and d.is_retry
         limit $2) as found) as retrying
     from webhook_endpoints e where e.project_id = $1 and e.queue_id is not null order by e.id`,
    [projectId, most],
  );
}

/** The attempts for the newest events of each endpoint, at most `limit` of each. */
export function listLatestAttempts(
  db: Queryable,
  projectId: string,
  endpointIds: readonly string[],
  limit: number,
): Promise<(AttemptRow & { endpointId: string })[]> {
  return db.query(
    `select a.endpoint_id as "endpointId", ${ATTEMPT}
     from unnest($2::text[]) as asked (endpoint_id)
     cross join lateral (select * from webhook_attempts t
       where t.project_id = $1 and t.endpoint_id = asked.endpoint_id
       order by t.project_id desc, t.endpoint_id desc, t.position desc, t.id desc, t.started_at desc
       limit $3) as a`,
    [projectId, endpointIds, limit],
  );
}
