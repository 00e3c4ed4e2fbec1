import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow } from '../../../platform/db/statements.ts';
import type { ConnectionRow } from './payout-connection.ts';

const COLUMNS = `id, workspace_id as "workspaceId", environment, method, sealed, last4,
  checks_webhooks as "checksWebhooks", created_at as "createdAt", updated_at as "updatedAt"`;

/** All connections of a workspace: at most one per environment and method. */
export function listConnections(db: Queryable, workspaceId: string): Promise<ConnectionRow[]> {
  return db.query<ConnectionRow>(
    `select ${COLUMNS} from payout_connections where workspace_id = $1
     order by environment, method`,
    [workspaceId],
  );
}

const BY_ID = `select ${COLUMNS} from payout_connections where id = $2 and workspace_id = $1`;
const AT = `select ${COLUMNS} from payout_connections
  where workspace_id = $1 and environment = $2 and method = $3`;

export const findConnection = findRow<ConnectionRow, [workspaceId: string, id: string]>(BY_ID);

/** Until the transaction ends, nobody pays from the connection or changes it. */
export const lockConnection = findRow<ConnectionRow, [workspaceId: string, id: string], Tx>(
  `${BY_ID} for update`,
);

export const findConnectionAt = findRow<
  ConnectionRow,
  [workspaceId: string, environment: string, method: string]
>(AT);

/** The same lock for the connection of an environment and a method. */
export const lockConnectionAt = findRow<
  ConnectionRow,
  [workspaceId: string, environment: string, method: string],
  Tx
>(`${AT} for update`);

/**
 * Whether it exists. A change of the connection waits for an order that is about to use it, and vice
 * versa.
 */
export async function holdConnection(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query('select 1 from payout_connections where id = $1 for share', [id]);
  return rows.length > 0;
}

/** Inserts the connection, or replaces the one of the same environment and method. */
export function upsertConnection(tx: Tx, row: ConnectionRow): void {
  tx.send(
    `insert into payout_connections (id, workspace_id, environment, method, sealed, last4,
       checks_webhooks, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (workspace_id, environment, method) do update set id = excluded.id,
       sealed = excluded.sealed, last4 = excluded.last4,
       checks_webhooks = excluded.checks_webhooks, created_at = excluded.created_at,
       updated_at = excluded.updated_at`,
    [
      row.id,
      row.workspaceId,
      row.environment,
      row.method,
      row.sealed,
      row.last4,
      row.checksWebhooks,
      row.createdAt,
      row.updatedAt,
    ],
  );
}

export function deleteConnection(tx: Tx, id: string): void {
  tx.send('delete from payout_connections where id = $1', [id]);
}
