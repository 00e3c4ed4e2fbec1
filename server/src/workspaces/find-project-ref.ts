import type { Queryable } from '../db/driver.ts';
import type { ProjectRef } from '../http/principal.ts';
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
