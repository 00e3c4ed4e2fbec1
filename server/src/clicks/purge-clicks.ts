import type { Database, Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import { addMs, type Instant } from '../kit/instant.ts';
import { ENDED_HANDLE_MS, NETWORK_HASH_MS } from './lifetimes.ts';
import {
  clearNetworkHashes,
  deleteEndedHandles,
  deleteSpentClicks,
  listProjectsWithEndedHandles,
  listProjectsWithNetworkHashes,
  listProjectsWithSpentClicks,
} from './store.ts';

interface Purge {
  readonly before: Instant;
  list(source: Queryable, before: Instant): Promise<string[]>;
  purge(tx: Tx, projectId: string, before: Instant, limit: number): Promise<number>;
}

/**
 * Forgets, at most `limit` of each per Project: handles that nobody was identified by, with
 * their touches; where touches came from in the network; tokens that no longer work anyway.
 * Returns how many. What an identified handle has led to stays.
 */
export async function purgeClicks(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const purges: Purge[] = [
    {
      before: addMs(now, -ENDED_HANDLE_MS),
      list: listProjectsWithEndedHandles,
      purge: deleteEndedHandles,
    },
    {
      before: addMs(now, -NETWORK_HASH_MS),
      list: listProjectsWithNetworkHashes,
      purge: clearNetworkHashes,
    },
    { before: now, list: listProjectsWithSpentClicks, purge: deleteSpentClicks },
  ];
  let purged = 0;
  for (const { before, list, purge } of purges) {
    for (const projectId of await list(database.reads, before)) {
      purged += await database.transaction((tx) => purge(tx, projectId, before, limit));
    }
  }
  return purged;
}
