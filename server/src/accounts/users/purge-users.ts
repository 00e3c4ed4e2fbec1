import type { Database } from '../../platform/db/database.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { IDLE_MS } from './sign-in/session-rules.ts';
import { deleteIdleSessions, deleteOldVerifications } from './store.ts';
import { deleteOldInvitations } from './team/invitation-store.ts';

/** How long the list of invitations shows their outcome. */
export const INVITATION_KEPT_MS = 90 * DAY_MS;
/** By the library's clock, not ours. */
const VERIFICATION_KEPT_MS = DAY_MS;

/**
 * Deletes at most `limit` each of expired sessions, invitations and verifications. A session past
 * its maximum age is no longer seen, so it soon becomes idle.
 */
export async function purgeUsers(database: Database, now: Instant, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    const sessions = await deleteIdleSessions(tx, addMs(now, -IDLE_MS), limit);
    const invitations = await deleteOldInvitations(tx, addMs(now, -INVITATION_KEPT_MS), limit);
    const old = addMs(now, -VERIFICATION_KEPT_MS);
    const verifications = await deleteOldVerifications(tx, old, limit);
    return sessions.length + invitations.length + verifications.length;
  });
}
