import type { Queryable } from '../../platform/db/driver.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { findProject } from './store.ts';

export async function findProjectRef(
  source: Queryable,
  id: string,
): Promise<ProjectRef | undefined> {
  const project = await findProject(source, id);
  if (!project) return undefined;
  const { workspaceId, projectKey, environment } = project;
  return { id, workspaceId, projectKey, environment };
}
