import type { Database } from '../../../platform/db/database.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { deleteAttempts, listOldAttempts } from './attempt-store.ts';

/**
 * Deletes at most `limit` attempts of before `before`, the oldest first, those of deleted endpoints
 * like the others; returns how many. Attempts go by the real time.
 */
export async function purgeAttempts(
  database: Database,
  before: Instant,
  limit: number,
): Promise<number> {
  const old = await listOldAttempts(database.reads, before, limit);
  let deleted = 0;
  for (const [projectId, keys] of groupBy(old, (key) => key.projectId)) {
    deleted += await database.transaction((tx) => deleteAttempts(tx, projectId, keys));
  }
  return deleted;
}
