import type { Database } from '../../../platform/db/database.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { IDLE_MS } from './session.ts';
import { deleteIdleSessions, deleteOldLinks } from './sign-in-store.ts';

/** So long a link that was used says so, instead of being unknown. */
const LINK_KEPT_MS = DAY_MS;

/**
 * Deletes at most `limit` links and as many sessions whose time is over. One that has lived too
 * long is not seen any more, so that it is idle soon.
 */
export async function purgeSignIns(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const links = await deleteOldLinks(tx, addMs(now, -LINK_KEPT_MS), limit);
    const sessions = await deleteIdleSessions(tx, addMs(now, -IDLE_MS), limit);
    return links.length + sessions.length;
  });
}
