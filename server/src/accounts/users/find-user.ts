import { needsTotp } from '../../platform/http/access/permissions.ts';
import type { UserPrincipal } from '../../platform/http/access/principal.ts';
import { addMs, toInstant } from '../../platform/kit/instant.ts';
import { type CookieRules, readSessionCookie } from './sign-in/cookie-names.ts';
import { isLive, SEEN_STEP_MS } from './sign-in/lifetimes.ts';
import { hashToken, isSessionToken } from './sign-in/session-token.ts';
import { findSessionByHash, type SessionRow, updateSeen } from './store.ts';
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
  isUse = true,
): Promise<UserPrincipal | undefined> {
  const token = readSessionCookie(cookies, rules);
  if (token === undefined || !isSessionToken(token)) return undefined;
  const { database, clock, userCache } = deps;
  const tokenHash = hashToken(token);
  const session = await userCache.session(tokenHash, () =>
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
    mustSetUpTotp: mustSetUpTotp(session, deps.settings.requiresTotp),
  };
}

/** For users who sign in at the provider, the provider is responsible for the second factor. */
export function mustSetUpTotp(
  { method, user, memberships }: Pick<SessionRow, 'method' | 'user' | 'memberships'>,
  isRequired: boolean,
): boolean {
  if (!isRequired || method === 'oidc' || user.totpEnabled) return false;
  return memberships.some(({ role, operatorsNeedTotp }) => needsTotp(role, operatorsNeedTotp));
}
