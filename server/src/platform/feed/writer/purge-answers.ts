import type { Database } from '../../db/database.ts';
import { addMs, type Instant } from '../../kit/instant.ts';
import { deleteOldKeptAnswers, listProjectsWithOldAnswers } from '../store.ts';
import { IDEMPOTENCY_MS } from './run-batch.ts';

/** Deletes at most `limit` answers per Project that no Idempotency-Key can call up any more. */
export async function purgeAnswers(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -IDEMPOTENCY_MS);
  let deleted = 0;
  for (const projectId of await listProjectsWithOldAnswers(database.reads, before)) {
    deleted += await database.transaction((tx) =>
      deleteOldKeptAnswers(tx, projectId, before, limit),
    );
  }
  return deleted;
}
