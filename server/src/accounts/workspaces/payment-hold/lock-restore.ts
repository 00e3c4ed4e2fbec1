import type { Tx } from '../../../platform/db/database.ts';
import type { RestoreRow } from './restore.ts';
import { findRestore } from './restore-queries.ts';
import { lockById } from './restore-store.ts';

/** Until the transaction ends, nobody else releases it or moves its time. */
export async function lockRestore(
  tx: Tx,
  workspaceId: string,
  restoreId: string,
): Promise<RestoreRow | undefined> {
  await lockById(tx, workspaceId, restoreId);
  return findRestore(tx, workspaceId, restoreId);
}
