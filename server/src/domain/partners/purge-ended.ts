import type { Database } from '../../platform/db/database.ts';
import { listCutoffs } from '../../platform/feed/writer/project-clock.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { deleteOldEnded, listProjectsWithOldEnded } from './store.ts';

/** Long enough to answer who asks why they were turned down. */
export const ENDED_DAYS = 365;

/** Deletes at most `limit` applications per Project that were rejected or withdrawn long ago. */
export async function purgeEnded(database: Database, now: Instant, limit: number): Promise<number> {
  const before = addMs(now, -ENDED_DAYS * DAY_MS);
  let deleted = 0;
  for (const [projectId, cutoff] of await listCutoffs(
    database.reads,
    before,
    listProjectsWithOldEnded,
  )) {
    deleted += await database.transaction((tx) => deleteOldEnded(tx, projectId, cutoff, limit));
  }
  return deleted;
}
