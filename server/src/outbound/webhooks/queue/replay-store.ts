import type { Tx } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

export interface DueAgain {
  readonly positions: readonly number[];
  readonly now: Instant;
}

/**
 * Makes these due now, with a full set of attempts, as retries: new events do not wait behind them,
 * however many there are. Rows are locked in order, so that two replays wait for each other instead
 * of deadlocking. Rows that are already due stay as they are, and so do rows that a worker is
 * sending: these belong to the worker until it has saved the outcome. Returns how many were
 * changed.
 */
export async function requeue(
  tx: Tx,
  projectId: string,
  queueId: string,
  { positions, now }: DueAgain,
): Promise<number> {
  const rows = await tx.query(
    `insert into webhook_deliveries as w
       (project_id, queue_id, position, attempts, is_retry, due_at, queued_at)
     select h.project_id, $2, p.position, 0, true, $3, $3
     from (select project_id from project_heads where project_id = $1) as h
     cross join unnest($4::bigint[]) as p (position) order by p.position
     on conflict (project_id, queue_id, position) do update
       set attempts = excluded.attempts, due_at = excluded.due_at, queued_at = excluded.queued_at
       where w.lease_id is null and w.is_retry
         and (w.attempts > 0 or w.due_at > excluded.due_at)
     returning 1`,
    [projectId, queueId, now, positions],
  );
  return rows.length;
}

/**
 * Removes requeued deliveries from the list of failed ones. Await `requeue` first: it may have
 * waited for a worker that just gave one up, and only a later statement sees that attempt.
 */
export async function markReplayed(
  tx: Tx,
  projectId: string,
  endpointId: string,
  positions: readonly number[],
): Promise<void> {
  await tx.query(
    `update webhook_attempts a set is_replayed = true
     from (select $1::text as project_id, p.position
       from unnest($3::bigint[]) as p (position)) as queued
     where a.project_id = $1 and a.project_id = queued.project_id and a.endpoint_id = $2
       and a.position = queued.position and a.outcome = 'failed' and not a.is_replayed`,
    [projectId, endpointId, positions],
  );
}
