import type { Database } from '../../platform/db/database.ts';
import { purgeEach } from '../../platform/db/purge-each.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { deleteBacktests, eraseDifferences, listProjectsWithBacktests } from './store.ts';

/** How long a back-test is kept, in real days. */
export const KEPT_DAYS = 30;

/** Deletes a slice of old back-tests with their differences. */
export async function purgeBacktests(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -KEPT_DAYS * DAY_MS);
  const projectIds = await listProjectsWithBacktests(database.reads, before);
  const due = projectIds.map((projectId) => [projectId, before] as const);
  return purgeEach(database, due, (tx, projectId) => deleteBacktests(tx, projectId, before, limit));
}

/** Part of an erasure. Sums stay: they name nobody who is not looked up when they are shown. */
export async function eraseBacktests(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  eraseDifferences(tx, projectId, participantId);
}
