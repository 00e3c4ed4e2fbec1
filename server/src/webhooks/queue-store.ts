import type { Tx } from '../db/database.ts';

export interface NewDelivery {
  readonly queueId: string;
  readonly position: number;
}

/** Due before anything else, whatever the clocks of the processes say. */
const AT_ONCE = '1970-01-01T00:00:00.000Z';

export function insertDeliveries(
  tx: Tx,
  projectId: string,
  deliveries: readonly NewDelivery[],
): void {
  tx.send(
    `insert into webhook_deliveries
       (project_id, queue_id, position, attempts, is_retry, due_at, lease_id)
     select $1, d.queue_id, d.position, 0, false, $2, null
     from unnest($3::text[], $4::bigint[]) as d (queue_id, position)`,
    [
      projectId,
      AT_ONCE,
      deliveries.map(({ queueId }) => queueId),
      deliveries.map(({ position }) => position),
    ],
  );
}
