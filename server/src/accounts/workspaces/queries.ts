import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Environment, ProjectRef } from '../../platform/http/access/principal.ts';
import { noSuch } from '../../platform/kit/errors.ts';
import { findProject, findWorkspace, listProjectIds, lockWorkspaceRow } from './store.ts';

/** Fails with NOT_FOUND for an unknown Workspace, or one that the caller is not in. */
export async function assertWorkspace(
  db: Queryable,
  workspaceId: string,
  among: readonly string[] | null = null,
): Promise<void> {
  const isForeign = among !== null && !among.includes(workspaceId);
  if (isForeign || !(await findWorkspace(db, workspaceId))) throw noSuch('workspace');
}

/** All Projects of a Workspace in this environment. */
export function findProjectIds(
  db: Queryable,
  workspaceId: string,
  environment: Environment,
): Promise<string[]> {
  return listProjectIds(db, workspaceId, environment);
}

export async function findProjectRef(db: Queryable, id: string): Promise<ProjectRef | undefined> {
  const project = await findProject(db, id);
  if (!project) return undefined;
  const { workspaceId, projectKey, environment } = project;
  return { id, workspaceId, projectKey, environment };
}

/** Of an existing Workspace. */
export async function findWorkspaceName(db: Queryable, workspaceId: string): Promise<string> {
  const workspace = await findWorkspace(db, workspaceId);
  if (!workspace) throw new Error(`Workspace ${workspaceId} is not there.`);
  return workspace.name;
}

/** Locks the Workspace until the end of the transaction. Fails with NOT_FOUND. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  if (!(await lockWorkspaceRow(tx, workspaceId))) throw noSuch('workspace');
}
