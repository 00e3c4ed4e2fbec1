import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { EndpointRow, OpenQueue } from './endpoint.ts';

export function listOpenQueues(tx: Tx, projectId: string): Promise<OpenQueue[]> {
  return tx.query<OpenQueue>(
    `select queue_id as "queueId", event_types as "eventTypes" from webhook_endpoints
     where project_id = $1 and queue_id is not null order by id`,
    [projectId],
  );
}

const COLUMNS = `project_id as "projectId", id, url, description, event_types as "eventTypes",
  api_version as "apiVersion", previous_api_version as "previousApiVersion",
  api_version_changed_at as "apiVersionChangedAt", fulfillment_mode as "fulfillmentMode",
  queue_id as "queueId", secrets, created_at as "createdAt", updated_at as "updatedAt"`;

export function findEndpoints(source: Queryable, projectId: string): Promise<EndpointRow[]> {
  return source.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where project_id = $1 order by id`,
    [projectId],
  );
}
