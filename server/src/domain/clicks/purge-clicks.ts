import type { Database, Tx } from '../../platform/db/database.ts';
import { purgeEach } from '../../platform/db/purge-each.ts';
import { listCutoffs } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { addMs, type Instant } from '../../platform/kit/instant.ts';
import { ENDED_HANDLE_MS, NETWORK_HASH_MS } from './handle.ts';
import {
  blankVisitsOf,
  clearNetworkHashes,
  deleteEndedHandles,
  deleteSpentClicks,
  listProjectsWithEndedHandles,
  listProjectsWithNetworkHashes,
  listProjectsWithSpentClicks,
} from './store.ts';

interface Purge {
  /** By Project: older data is deleted. */
  readonly cutoffs: ReadonlyMap<string, Instant>;
  purge(tx: Tx, projectId: string, before: Instant, limit: number): Promise<number>;
}

/**
 * Deletes at most `limit` of each per Project: handles that were never identified, with their
 * touches; the network of touches; tokens that have expired. Returns how many. Touches of an
 * identified handle stay. Handles and touches age by their Project's clock, tokens by real time.
 */
export async function purgeClicks(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const { reads } = database;
  const withSpent = await listProjectsWithSpentClicks(reads, now);
  const purges: Purge[] = [
    {
      cutoffs: await listCutoffs(reads, addMs(now, -ENDED_HANDLE_MS), listProjectsWithEndedHandles),
      purge: deleteEndedHandles,
    },
    {
      cutoffs: await listCutoffs(
        reads,
        addMs(now, -NETWORK_HASH_MS),
        listProjectsWithNetworkHashes,
      ),
      purge: clearNetworkHashes,
    },
    {
      cutoffs: new Map(withSpent.map((projectId) => [projectId, now])),
      purge: deleteSpentClicks,
    },
  ];
  let purged = 0;
  for (const { cutoffs, purge } of purges) {
    purged += await purgeEach(database, cutoffs, (tx, id, cutoff) => purge(tx, id, cutoff, limit));
  }
  return purged;
}

/**
 * Erases which pages a participant came through. Must run while their handles still name them:
 * before `eraseIdentities` unlinks these.
 */
export async function eraseVisits(write: ProjectWrite, participantId: string): Promise<void> {
  blankVisitsOf(write.tx, write.projectId, participantId, write.now);
}
