import type { Tx } from '../db/database.ts';
import type { OpenQueue } from './endpoint.ts';

export function listOpenQueues(tx: Tx, projectId: string): Promise<OpenQueue[]> {
  return tx.query<OpenQueue>(
    `select queue_id as "queueId", event_types as "eventTypes" from webhook_endpoints
     where project_id = $1 and queue_id is not null order by id`,
    [projectId],
  );
}
