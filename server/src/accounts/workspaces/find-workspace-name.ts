import type { Queryable } from '../../platform/db/driver.ts';
import { findWorkspace } from './store.ts';

/** Of a Workspace that is there. */
export async function findWorkspaceName(source: Queryable, workspaceId: string): Promise<string> {
  const workspace = await findWorkspace(source, workspaceId);
  if (!workspace) throw new Error(`Workspace ${workspaceId} is not there.`);
  return workspace.name;
}
