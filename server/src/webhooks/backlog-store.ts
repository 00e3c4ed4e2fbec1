import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { AT_ONCE } from './queue-store.ts';

export interface DeliveryBacklog {
  /** What is still to be sent, over all Projects; none is counted beyond `most`. */
  readonly pending: number;
  /** When the event happened that has waited longest for the end of its first attempt, by its Project's clock. */
  readonly firstFreshAt: Instant | null;
  /** When the retry was due that is most overdue. */
  readonly firstRetryAt: Instant | null;
}

/**
 * Over all Projects, for operators: what waits in the queues of webhooks. The queues are found by a
 * step in the index for each: to have them told apart by `distinct`, all that waits would be read,
 * and most of it when it matters most.
 */
export async function readDeliveryBacklog(
  source: Queryable,
  now: Instant,
  most: number,
): Promise<DeliveryBacklog> {
  const [row] = await source.query<DeliveryBacklog>(
    `with recursive queues (project_id, queue_id) as (
       (select project_id, queue_id from webhook_deliveries where due_at = $2
        order by project_id, queue_id limit 1)
       union all
       select n.project_id, n.queue_id from queues q cross join lateral (
         select w.project_id, w.queue_id from webhook_deliveries w
         where w.due_at = $2 and (w.project_id, w.queue_id) > (q.project_id, q.queue_id)
         order by w.project_id, w.queue_id limit 1) as n)
     select
       (select count(*)::integer from
         (select 1 from webhook_deliveries limit $3) as counted) as pending,
       (select min(e.occurred_at)
        from queues q
        cross join lateral (select w.position from webhook_deliveries w
          where w.project_id = q.project_id and w.queue_id = q.queue_id and not w.is_retry
          order by w.due_at, w.position limit 1) as f
        join feed_events e on e.project_id = q.project_id and e.position = f.position
       ) as "firstFreshAt",
       (select min(due_at) from webhook_deliveries
        where due_at > $2 and due_at <= $1) as "firstRetryAt"`,
    [now, AT_ONCE, most],
  );
  return row ?? { pending: 0, firstFreshAt: null, firstRetryAt: null };
}
