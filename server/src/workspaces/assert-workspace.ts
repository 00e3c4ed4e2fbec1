import type { Queryable } from '../db/driver.ts';
import { findWorkspace } from './store.ts';
import { noSuch } from './workspace-deps.ts';

/** Ends with NOT_FOUND. */
export async function assertWorkspace(source: Queryable, workspaceId: string): Promise<void> {
  if (!(await findWorkspace(source, workspaceId))) throw noSuch('workspace');
}
