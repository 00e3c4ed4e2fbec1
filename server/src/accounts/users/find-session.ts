import { mayAdminister, needsTotp, permissionsOf } from '../../platform/http/access/permissions.ts';
import type { UserPrincipal, Visit } from '../../platform/http/access/principal.ts';
import { AppError } from '../../platform/kit/errors.ts';
import { addMs, toInstant } from '../../platform/kit/instant.ts';
import type { Session } from './schema.ts';
import {
  type CookieRules,
  endOf,
  hashToken,
  isLive,
  isSessionToken,
  readSessionCookie,
  SEEN_STEP_MS,
} from './sign-in/session-rules.ts';
import { findSessionByHash, findSessionById, type SessionRow, updateSeen } from './store.ts';
import type { UserDeps } from './user-deps.ts';

type FindDeps = Pick<UserDeps, 'database' | 'clock' | 'userCache'> & {
  readonly settings: Pick<UserDeps['settings'], 'requiresTotp'>;
};

/**
 * The user who is signed in with these cookies; undefined once the session has ended or expired.
 * Not every call counts as use of the session: a page that only stays open is idle.
 */
export async function findUser(
  deps: FindDeps,
  rules: CookieRules,
  cookies: string,
  { isUse, isLocal }: Visit,
): Promise<UserPrincipal | undefined> {
  const token = readSessionCookie(cookies, rules);
  if (token === undefined || !isSessionToken(token)) return undefined;
  const { database, clock, userCache } = deps;
  const tokenHash = hashToken(token);
  const session = await userCache.sessions.get(tokenHash, () =>
    findSessionByHash(database.reads, tokenHash),
  );
  const now = toInstant(clock.nowMs());
  if (!session || !isLive(session, now)) return undefined;
  if (isUse && addMs(session.seenAt, SEEN_STEP_MS) <= now) {
    await database.transaction(async (tx) => updateSeen(tx, session.id, session.user.id, now));
    userCache.forgetUser(session.user.id);
  }
  return {
    type: 'user',
    userId: session.user.id,
    sessionId: session.id,
    memberships: session.memberships,
    ...judgeTotp(session, { isRequired: deps.settings.requiresTotp, isLocal }),
  };
}

type TotpFacts = Pick<SessionRow, 'method' | 'user' | 'memberships' | 'isLocal'>;

interface TotpRules {
  readonly isRequired: boolean;
  /** Whether this call comes from the service's own machine. */
  readonly isLocal: boolean;
}

/**
 * Whether the user must set up a second factor before anything else, or may do so later: an account
 * that was created on the service's own machine, as long as it is used there. For users who sign in
 * at the provider, the provider is responsible for the second factor.
 */
export function judgeTotp(
  { method, user, memberships, isLocal: wasLocal }: TotpFacts,
  { isRequired, isLocal }: TotpRules,
): Pick<UserPrincipal, 'mustSetUpTotp' | 'isTotpPostponed'> {
  const isMissing =
    isRequired &&
    method !== 'oidc' &&
    !user.totpEnabled &&
    memberships.some(({ role, operatorsNeedTotp }) => needsTotp(role, operatorsNeedTotp));
  const mayWait = wasLocal && isLocal;
  return { mustSetUpTotp: isMissing && !mayWait, isTotpPostponed: isMissing && mayWait };
}

/** Fails with UNAUTHORIZED if the session has just ended. */
export async function showSession(deps: UserDeps, principal: UserPrincipal): Promise<Session> {
  const session = await findSessionById(deps.database.reads, principal.sessionId);
  if (!session) throw new AppError('UNAUTHORIZED', 'You are not signed in.');
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
    isTotpPostponed: principal.isTotpPostponed,
    expiresAt: endOf(session),
  };
}
