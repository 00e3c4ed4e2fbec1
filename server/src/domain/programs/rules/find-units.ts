import type { Queryable } from '../../../platform/db/driver.ts';
import { listUnitsById, type Unit } from '../store.ts';

export type { Unit };

/** The units of these ids, by id. */
export async function findUnits(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Unit>> {
  if (ids.length === 0) return new Map();
  const units = await listUnitsById(source, projectId, ids);
  return new Map(units.map((unit) => [unit.id, unit]));
}
