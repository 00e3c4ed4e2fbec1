import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { QUEUES } from './queue-store.ts';

export interface DeliveryBacklog {
  /** Deliveries waiting for enabled endpoints; the count stops at `most`. */
  readonly pending: number;
  /**
   * When the event happened that has waited longest for its first attempt to end, by its project's
   * clock.
   */
  readonly firstFreshAt: Instant | null;
  /** When the most overdue retry was due. */
  readonly firstRetryAt: Instant | null;
}

/** The queues of enabled endpoints in all projects, for operators. */
export async function readDeliveryBacklog(
  db: Queryable,
  now: Instant,
  most: number,
): Promise<DeliveryBacklog> {
  const [row] = await db.query<DeliveryBacklog>(
    `with ${QUEUES},
     open as materialized (
       select q.* from queues q where exists (select 1 from webhook_endpoints e
         where e.project_id = q.project_id and e.queue_id = q.queue_id))
     select
       (select count(*)::integer from
         (select 1 from open o cross join lateral (select 1 from webhook_deliveries w
            where w.project_id = o.project_id and w.queue_id = o.queue_id offset 0) as waiting
          limit $2) as counted) as pending,
       (select min(e.occurred_at)
        from open o
        cross join lateral (select w.position from webhook_deliveries w
          where w.project_id = o.project_id and w.queue_id = o.queue_id and not w.is_retry
          order by w.due_at, w.position limit 1) as f
        join feed_events e on e.project_id = o.project_id and e.position = f.position
       ) as "firstFreshAt",
       (select min(r.due_at) from open o
        cross join lateral (select w.due_at from webhook_deliveries w
          where w.project_id = o.project_id and w.queue_id = o.queue_id and w.is_retry
            and w.due_at <= $1
          order by w.due_at, w.position limit 1) as r) as "firstRetryAt"`,
    [now, most],
  );
  return row ?? { pending: 0, firstFreshAt: null, firstRetryAt: null };
}

/** The same on a distributed store, endpoint by endpoint: Citus takes no recursion over all projects. */
export async function readDistributedBacklog(
  db: Queryable,
  now: Instant,
  most: number,
): Promise<DeliveryBacklog> {
  const [[counted], [waits]] = await Promise.all([
    db.query<Pick<DeliveryBacklog, 'pending'>>(
      `select count(*)::integer as pending from
         (select 1 from webhook_endpoints e join webhook_deliveries w
            on w.project_id = e.project_id and w.queue_id = e.queue_id
          limit $1) as counted`,
      [most],
    ),
    db.query<Omit<DeliveryBacklog, 'pending'>>(
      `select
         min((select f.occurred_at from webhook_deliveries w
           join feed_events f on f.project_id = w.project_id and f.position = w.position
           where w.project_id = e.project_id and w.queue_id = e.queue_id and not w.is_retry
           order by w.due_at, w.position limit 1)) as "firstFreshAt",
         min((select w.due_at from webhook_deliveries w
           where w.project_id = e.project_id and w.queue_id = e.queue_id and w.is_retry
             and w.due_at <= $1
           order by w.due_at, w.position limit 1)) as "firstRetryAt"
       from webhook_endpoints e where e.queue_id is not null`,
      [now],
    ),
  ]);
  return { pending: 0, firstFreshAt: null, firstRetryAt: null, ...counted, ...waits };
}
