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

/** Long enough to answer applicants who ask why they were rejected. */
export const ENDED_DAYS = 365;

/** Deletes at most `limit` applications per Project that were rejected or withdrawn long ago. */
export async function purgeEnded(database: Database, now: Instant, limit: number): Promise<number> {
  const before = addMs(now, -ENDED_DAYS * DAY_MS);
  const cutoffs = await listCutoffs(database.reads, before, listProjectsWithOldEnded);
  return purgeEach(database, cutoffs, (tx, id, cutoff) => deleteOldEnded(tx, id, cutoff, limit));
}

/**
 * An application that was not proven in this time, since it was last sent or its link last mailed,
 * is abandoned. Every link has long expired by then.
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

/** Links are kept this long after they expire. */
const LINK_KEPT_MS = DAY_MS;

/**
 * Deletes at most `limit` expired links and as many idle sessions. A session past its maximum age
 * is no longer seen, so it soon becomes idle.
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
