import type { Tx } from '../../platform/db/database.ts';
import { lockWorkspaceRow } from './store.ts';
import { noSuch } from './workspace-deps.ts';

/** Until the end of the transaction, nobody else who asks for it goes on. Ends with NOT_FOUND. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  if (!(await lockWorkspaceRow(tx, workspaceId))) throw noSuch('workspace');
}
