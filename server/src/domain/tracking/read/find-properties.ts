import type { Queryable } from '../../../platform/db/driver.ts';
import { listProperties } from './read-store.ts';

/** The callers' own fields of these Events, as they are now: empty once a person was erased. */
export async function findProperties(
  source: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  if (eventIds.length === 0) return new Map();
  const rows = await listProperties(source, projectId, eventIds);
  return new Map(rows.map((row) => [row.id, row.properties]));
}
