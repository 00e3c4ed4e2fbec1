import type { Queryable } from '../../platform/db/driver.ts';
import { listParticipantsById } from './store.ts';

/** What these participants, each named once, are known by where they pay. Those without are left out. */
export async function findBillingIds(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(source, projectId, ids);
  return new Map(
    rows.flatMap(({ id, billingId }) => (billingId === null ? [] : [[id, billingId]])),
  );
}

/** Those of these participants, each named once, who were erased. */
export async function findErased(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await listParticipantsById(source, projectId, ids);
  return new Set(rows.flatMap(({ id, deletedAt }) => (deletedAt === null ? [] : [id])));
}
