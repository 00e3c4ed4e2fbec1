import type { Database } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { deleteOldAuditEntries, listProjectsWithOldAudit } from '../store.ts';

/** Deletes at most `limit` entries of before `before` in each Project; returns how many. */
export async function purgeAudit(
  database: Database,
  before: Instant,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const projectId of await listProjectsWithOldAudit(database.reads, before)) {
    deleted += await database.transaction((tx) =>
      deleteOldAuditEntries(tx, projectId, before, limit),
    );
  }
  return deleted;
}
