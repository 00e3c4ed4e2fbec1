import type { Tx } from '../../../platform/db/database.ts';
import { clearAuditReasons } from '../store.ts';

/** Takes free text about somebody who is erased out of the audit log; the entries stay. */
export function forgetReasons(tx: Tx, workspaceId: string, targetId: string): void {
  clearAuditReasons(tx, workspaceId, targetId);
}
