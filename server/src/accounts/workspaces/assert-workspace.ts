import type { Queryable } from '../../platform/db/driver.ts';
import { findWorkspace } from './store.ts';
import { noSuch } from './workspace-deps.ts';

/** Ends with NOT_FOUND for one that is not there, or not among those that the caller is in. */
export async function assertWorkspace(
  source: Queryable,
  workspaceId: string,
  among: readonly string[] | null = null,
): Promise<void> {
  const isForeign = among !== null && !among.includes(workspaceId);
  if (isForeign || !(await findWorkspace(source, workspaceId))) throw noSuch('workspace');
}
