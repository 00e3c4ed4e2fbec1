import { mayAdminister, permissionsOf } from '../../platform/http/access/permissions.ts';
import type { UserPrincipal } from '../../platform/http/access/principal.ts';
import { AppError } from '../../platform/kit/errors.ts';
import type { Session } from './schema.ts';
import { endOf } from './sign-in/lifetimes.ts';
import { findSessionById } from './store.ts';
import type { UserDeps } from './user-deps.ts';

/** Fails with UNAUTHORIZED if the session has just ended. */
export async function showSession(deps: UserDeps, principal: UserPrincipal): Promise<Session> {
  const session = await findSessionById(deps.database.reads, principal.sessionId);
  if (!session) throw new AppError('UNAUTHORIZED', 'Nobody is signed in.');
  return {
    sessionId: session.id,
    user: session.user,
    memberships: session.memberships.map(({ workspaceId, workspaceName, role }) => ({
      workspaceId,
      workspaceName,
      role,
      permissions: [...permissionsOf(role)],
      mayAdminister: mayAdminister(role),
    })),
    mustSetUpTotp: principal.mustSetUpTotp,
    expiresAt: endOf(session),
  };
}
