import type { Database } from '../../db/database.ts';
import { purgeEach } from '../../db/purge-each.ts';
import { addMs, type Instant } from '../../kit/instant.ts';
import { deleteKeptAnswersOf, deleteOldKeptAnswers, listProjectsWithOldAnswers } from '../store.ts';
import type { ProjectWrite } from './project-write.ts';
import { IDEMPOTENCY_MS } from './run-batch.ts';

/** Erases the answers stored for Idempotency-Keys that contain data of this participant. */
export async function forgetAnswers(write: ProjectWrite, participantId: string): Promise<void> {
  deleteKeptAnswersOf(write.tx, write.projectId, participantId);
}

/** Deletes at most `limit` answers per Project whose Idempotency-Key has expired. */
export async function purgeAnswers(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -IDEMPOTENCY_MS);
  const projectIds = await listProjectsWithOldAnswers(database.reads, before);
  const cutoffs = projectIds.map((id) => [id, before] as const);
  return purgeEach(database, cutoffs, (tx, id) => deleteOldKeptAnswers(tx, id, before, limit));
}
