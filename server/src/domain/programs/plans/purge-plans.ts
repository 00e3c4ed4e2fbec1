import type { Database } from '../../../platform/db/database.ts';
import { purgeEach } from '../../../platform/db/purge-each.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { deletePlans, listProjectsWithPlans } from './plan-store.ts';

/** How long a plan can be applied. */
export const PLAN_MS = DAY_MS;
/** A plan is kept for longer, so that applying an expired one is refused with the reason. */
const KEPT_MS = 2 * DAY_MS;

/** Deletes a slice of the plans that expired a day ago. They have real times: no clock of a Project moves them. */
export async function purgePlans(database: Database, now: Instant, limit: number): Promise<number> {
  const before = addMs(now, -KEPT_MS);
  const projectIds = await listProjectsWithPlans(database.reads, before);
  const due = projectIds.map((projectId) => [projectId, before] as const);
  return purgeEach(database, due, (tx, projectId) => deletePlans(tx, projectId, before, limit));
}
