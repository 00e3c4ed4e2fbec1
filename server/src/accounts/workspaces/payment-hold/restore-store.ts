import type { Tx } from '../../../platform/db/database.ts';
import { findRow, listValues, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { RestoreRow } from './restore.ts';

export const listWorkspaceIds = listValues<string>('select id from workspaces order by id');

/** Locks the Workspace's open restore until the transaction ends. */
export const lockOpen = findRow<{ id: string; since: Instant }, [workspaceId: string], Tx>(
  `select id, since from restores where workspace_id = $1 and released_at is null for update`,
);

export function insertRestore(tx: Tx, row: RestoreRow): void {
  tx.send(
    `insert into restores (id, workspace_id, cause, since, note, declared_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [row.id, row.workspaceId, row.cause, row.since, row.note, row.declaredBy, row.createdAt],
  );
}

export const updateSince = sendWrite<[restoreId: string, since: Instant]>(
  'update restores set since = $2 where id = $1',
);

export const updateReleased = sendWrite<[restoreId: string, releasedAt: Instant, by: string]>(
  'update restores set released_at = $2, released_by = $3 where id = $1',
);

export const lockById = findRow<{ id: string }, [workspaceId: string, restoreId: string], Tx>(
  'select id from restores where workspace_id = $1 and id = $2 for update',
);
