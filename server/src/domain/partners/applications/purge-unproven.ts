import type { Database } from '../../../platform/db/database.ts';
import { listCutoffs } from '../../../platform/feed/writer/project-clock.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { deleteStaleApplications, listProjectsWithStaleApplications } from '../store.ts';

/**
 * An application that was not proven in this time, since it was last sent or its link last
 * mailed, never will be. Every link has long run out by then.
 */
export const UNPROVEN_DAYS = 30;

/** Deletes at most `limit` applications per Project that were never proven; returns how many. */
export async function purgeUnproven(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -UNPROVEN_DAYS * DAY_MS);
  let deleted = 0;
  for (const [projectId, cutoff] of await listCutoffs(
    database.reads,
    before,
    listProjectsWithStaleApplications,
  )) {
    deleted += await database.transaction((tx) =>
      deleteStaleApplications(tx, projectId, cutoff, limit),
    );
  }
  return deleted;
}
