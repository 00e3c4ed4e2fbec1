import type { Database } from '../../../platform/db/database.ts';
import { listCutoffs } from '../../../platform/feed/writer/project-clock.ts';
import { addMs, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';
import { deleteReplaced, listProjectsWithReplaced } from './details-store.ts';

/** Longer than the clocks of two processes are apart: none must miss what it still takes for used. */
const KEPT_MS = HOUR_MS;

/** Deletes a slice of the details that others took the place of: nobody is paid to them again. */
export async function purgeReplaced(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const [projectId, cutoff] of await listCutoffs(
    database.reads,
    addMs(now, -KEPT_MS),
    listProjectsWithReplaced,
  )) {
    deleted += await database.transaction((tx) => deleteReplaced(tx, projectId, cutoff, limit));
  }
  return deleted;
}
