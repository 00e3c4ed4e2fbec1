import { deleteOtherSessions, deletePending } from '../account-store.ts';
import type { UserDeps } from '../user-deps.ts';

type Deps = Pick<UserDeps, 'database' | 'userCache'>;

/** All sessions of somebody but this one. */
export async function endOtherSessions(
  { database, userCache }: Deps,
  userId: string,
  sessionId: string,
): Promise<void> {
  await database.transaction(async (tx) => deleteOtherSessions(tx, userId, sessionId));
  userCache.forgetUser(userId);
}

/** What was mailed to somebody, or asked of them, to be brought back. */
export async function forgetPending({ database }: Deps, userId: string): Promise<void> {
  await database.transaction(async (tx) => deletePending(tx, userId));
}
