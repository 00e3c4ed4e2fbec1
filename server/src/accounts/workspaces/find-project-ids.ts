import type { Queryable } from '../../platform/db/driver.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import { listProjectIds } from './store.ts';

/** All Projects of a Workspace that are of this environment. */
export function findProjectIds(
  source: Queryable,
  workspaceId: string,
  environment: Environment,
): Promise<string[]> {
  return listProjectIds(source, workspaceId, environment);
}
