import type { Queryable } from '../../../../platform/db/driver.ts';
import type { ConfigTx } from '../../../../platform/feed/writer/project-write.ts';
import { notFound } from '../../../../platform/kit/errors.ts';
import type { ConnectionRow } from './connection.ts';

const COLUMNS = `project_id as "projectId", id, status, livemode, sealed_key as "sealedKey",
  key_last4 as "keyLast4", webhook_secrets as "webhookSecrets", source_id as "sourceId",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The project's active connection; undefined if it has none. */
export async function findConnection(db: Queryable, projectId: string) {
  const [row] = await db.query<ConnectionRow>(
    `select ${COLUMNS} from stripe_connections where project_id = $1 and status = 'active'`,
    [projectId],
  );
  return row;
}

export async function findConnectionById(db: Queryable, projectId: string, connectionId: string) {
  const [row] = await db.query<ConnectionRow>(
    `select ${COLUMNS} from stripe_connections where project_id = $1 and id = $2`,
    [projectId, connectionId],
  );
  return row;
}

/** Fails with NOT_FOUND. */
export async function getConnection(db: Queryable, projectId: string, connectionId: string) {
  const connection = await findConnectionById(db, projectId, connectionId);
  if (!connection) throw notFound('Stripe connection');
  return connection;
}

/** All connections of a project, oldest first. */
export function listConnections(db: Queryable, projectId: string): Promise<ConnectionRow[]> {
  return db.query<ConnectionRow>(
    `select ${COLUMNS} from stripe_connections where project_id = $1 order by id`,
    [projectId],
  );
}

export function insertConnection(tx: ConfigTx, connection: ConnectionRow): void {
  tx.send(
    `insert into stripe_connections (project_id, id, status, livemode, sealed_key, key_last4,
       webhook_secrets, source_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10)`,
    [
      connection.projectId,
      connection.id,
      connection.status,
      connection.livemode,
      connection.sealedKey,
      connection.keyLast4,
      JSON.stringify(connection.webhookSecrets),
      connection.sourceId,
      connection.createdAt,
      connection.updatedAt,
    ],
  );
}

export function updateConnection(tx: ConfigTx, connection: ConnectionRow): void {
  tx.send(
    `update stripe_connections
     set status = $3, sealed_key = $4, key_last4 = $5, webhook_secrets = $6::jsonb, updated_at = $7
     where project_id = $1 and id = $2`,
    [
      connection.projectId,
      connection.id,
      connection.status,
      connection.sealedKey,
      connection.keyLast4,
      JSON.stringify(connection.webhookSecrets),
      connection.updatedAt,
    ],
  );
}

export function deleteConnection(tx: ConfigTx, projectId: string, connectionId: string): void {
  tx.send('delete from stripe_connections where project_id = $1 and id = $2', [
    projectId,
    connectionId,
  ]);
}
