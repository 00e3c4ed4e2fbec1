import type { Database } from '../../platform/db/database.ts';
import { purgeEach } from '../../platform/db/purge-each.ts';
import { listCutoffs } from '../../platform/feed/writer/project-clock.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { IDLE_MS } from './sign-in/session.ts';
import { deleteIdleSessions, deleteOldLinks } from './sign-in/sign-in-store.ts';
import {
  deleteOldEnded,
  deleteStaleApplications,
  listProjectsWithOldEnded,
  listProjectsWithStaleApplications,
} from './store.ts';

/** Long enough to answer who asks why they were turned down. */
export const ENDED_DAYS = 365;

/** Deletes at most `limit` applications per Project that were rejected or withdrawn long ago. */
export async function purgeEnded(database: Database, now: Instant, limit: number): Promise<number> {
  const before = addMs(now, -ENDED_DAYS * DAY_MS);
  const cutoffs = await listCutoffs(database.reads, before, listProjectsWithOldEnded);
  return purgeEach(database, cutoffs, (tx, id, cutoff) => deleteOldEnded(tx, id, cutoff, limit));
}

/**
 * An application that was not proven in this time, since it was last sent or its link last
 * mailed, never will be. Every link has long run out by then.
 */
export const UNPROVEN_DAYS = 30;

/** Deletes at most `limit` applications per Project that were never proven; returns how many. */
export async function purgeUnproven(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -UNPROVEN_DAYS * DAY_MS);
  const cutoffs = await listCutoffs(database.reads, before, listProjectsWithStaleApplications);
  return purgeEach(database, cutoffs, (tx, id, cutoff) =>
    deleteStaleApplications(tx, id, cutoff, limit),
  );
}

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
