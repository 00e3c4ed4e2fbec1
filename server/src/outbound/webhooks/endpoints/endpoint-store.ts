import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { ConfigTx } from '../../../platform/feed/writer/project-write.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { EndpointRow, OpenQueue } from './endpoint.ts';

const COLUMNS = `project_id as "projectId", id, url, description, event_types as "eventTypes",
  api_version as "apiVersion", previous_api_version as "previousApiVersion",
  api_version_changed_at as "apiVersionChangedAt", fulfillment_mode as "fulfillmentMode",
  queue_id as "queueId", paused_queue_id as "pausedQueueId", secrets, created_at as "createdAt", updated_at as "updatedAt"`;

/** All endpoints of a project, oldest first. */
export function findEndpoints(db: Queryable, projectId: string): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where project_id = $1 order by id`,
    [projectId],
  );
}

export async function findEndpoint(db: Queryable, projectId: string, endpointId: string) {
  const [row] = await db.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where project_id = $1 and id = $2`,
    [projectId, endpointId],
  );
  return row;
}

/** Fails with NOT_FOUND. */
export async function getEndpoint(db: Queryable, projectId: string, endpointId: string) {
  const row = await findEndpoint(db, projectId, endpointId);
  if (!row) throw notFound('webhook endpoint');
  return row;
}

export function listOpenQueues(tx: Tx, projectId: string): Promise<OpenQueue[]> {
  return tx.query<OpenQueue>(
    `select queue_id as "queueId", event_types as "eventTypes" from webhook_endpoints
     where project_id = $1 and queue_id is not null order by id`,
    [projectId],
  );
}

export function insertEndpoint(tx: ConfigTx, endpoint: EndpointRow): void {
  tx.send(
    `insert into webhook_endpoints
       (project_id, id, url, description, event_types, api_version, previous_api_version,
        api_version_changed_at, fulfillment_mode, queue_id, paused_queue_id, secrets, created_at,
        updated_at)
     values ($1, $2, $3, $4, $5::text[], $6, $7, $8, $9, $10, $11, $12::jsonb, $13, $14)`,
    [...valuesOf(endpoint), endpoint.createdAt, endpoint.updatedAt],
  );
}

export function updateEndpoint(tx: ConfigTx, endpoint: EndpointRow): void {
  tx.send(
    `update webhook_endpoints
     set url = $3, description = $4, event_types = $5::text[], api_version = $6,
       previous_api_version = $7, api_version_changed_at = $8, fulfillment_mode = $9,
       queue_id = $10, paused_queue_id = $11, secrets = $12::jsonb, updated_at = $13
     where project_id = $1 and id = $2`,
    [...valuesOf(endpoint), endpoint.updatedAt],
  );
}

export function deleteEndpoint(tx: ConfigTx, projectId: string, endpointId: string): void {
  tx.send('delete from webhook_endpoints where project_id = $1 and id = $2', [
    projectId,
    endpointId,
  ]);
}

function valuesOf(endpoint: EndpointRow): unknown[] {
  return [
    endpoint.projectId,
    endpoint.id,
    endpoint.url,
    endpoint.description,
    endpoint.eventTypes,
    endpoint.apiVersion,
    endpoint.previousApiVersion,
    endpoint.apiVersionChangedAt,
    endpoint.fulfillmentMode,
    endpoint.queueId,
    endpoint.pausedQueueId,
    JSON.stringify(endpoint.secrets),
  ];
}
