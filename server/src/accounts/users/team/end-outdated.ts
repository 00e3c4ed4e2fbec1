import { deleteOtherSessions, deletePending } from '../account-store.ts';
import type { UserDeps } from '../user-deps.ts';

type Deps = Pick<UserDeps, 'database' | 'userCache'>;

/** Ends all sessions of a user except this one. */
export async function endOtherSessions(
  { database, userCache }: Deps,
  userId: string,
  sessionId: string,
): Promise<void> {
  await database.transaction(async (tx) => deleteOtherSessions(tx, userId, sessionId));
  userCache.forgetUser(userId);
}

/** Deletes a user's pending verifications, such as mailed links. */
export async function forgetPending({ database }: Deps, userId: string): Promise<void> {
  await database.transaction(async (tx) => deletePending(tx, userId));
}
