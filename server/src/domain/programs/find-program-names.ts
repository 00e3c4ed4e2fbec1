import type { Queryable } from '../../platform/db/driver.ts';
import { listPrograms } from './store.ts';

/** What the Programs of a Project are called, by id, the oldest first. */
export async function findProgramNames(
  source: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await listPrograms(source, projectId);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
