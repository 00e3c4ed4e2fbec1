import { AppError, invalid, noSuch } from '../../kit/errors.ts';
import type { Access } from '../routes/route.ts';
import { mayAdminister, type Permission, permissionsOf, ROLES, type Role } from './permissions.ts';
import { isAllowed, type Principal, roleIn, type UserPrincipal } from './principal.ts';

/**
 * Fails with FORBIDDEN for a valid credential without the permission. For a user the Workspace of
 * the call is known only later: here they are refused what they may do in none.
 */
export function assertAllowed(access: Access, principal: Principal): void {
  if (access.by === 'session' && principal.type !== 'user') {
    throw new AppError('FORBIDDEN', 'Only signed-in users may do this.');
  }
  if (principal.type === 'user') {
    assertHasTotp(access, principal);
    if (isForAllUsers(access)) return;
    if (principal.memberships.some(({ role }) => mayDo(access, role))) return;
    throw new AppError('FORBIDDEN', 'Your role may not do this.');
  }
  if (access.by === 'operator' && principal.type !== 'operator') {
    throw new AppError('FORBIDDEN', 'Only operators may do this. API keys may not.');
  }
  const missing = missingPermissions(access, principal);
  if (missing.length > 0) {
    throw new AppError('FORBIDDEN', `This key lacks the permission ${missing.join(' and ')}.`);
  }
}

function assertHasTotp(access: Access, principal: UserPrincipal): void {
  if (principal.mustSetUpTotp && access.by !== 'session') throw totpRequired();
}

export function totpRequired(): AppError {
  return new AppError('FORBIDDEN', 'Your role requires a second factor. Set it up first.', {
    reason: 'totp_required',
  });
}

/** Fails with NOT_FOUND for an object outside the user's Workspaces, as if it did not exist. */
export function assertMayIn(
  access: Access,
  principal: UserPrincipal,
  workspaceId: string | undefined,
  what: string,
): void {
  const role = workspaceId === undefined ? undefined : roleIn(principal, workspaceId);
  if (role === undefined) throw noSuch(what);
  if (!mayDo(access, role)) throw new AppError('FORBIDDEN', `The role ${role} may not do this.`);
}

/** The Workspace of an operator route's call, and the name of what is missing if it is not theirs. */
export async function findSubject(
  access: Access & { by: 'operator' },
  call: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  },
): Promise<{ workspaceId: string | undefined; what: string } | undefined> {
  const { about } = access;
  const named = (from: unknown) => {
    const { workspaceId } = from as { workspaceId?: string };
    if (workspaceId === undefined) throw invalid('workspaceId', 'is required');
    return { workspaceId, what: 'workspace' };
  };
  switch (about) {
    case 'own':
    case 'new':
    case 'project':
      return undefined;
    case 'path':
      return named(call.params);
    case 'query':
      return named(call.query);
    case 'body':
      return named(call.body);
    default:
      return { workspaceId: await about.find(call.params), what: about.what };
  }
}

/** Whether a role may do what the route does in its Workspace. */
function mayDo(access: Access, role: Role): boolean {
  if (access.by === 'key') {
    return access.permissions.every((permission) => permissionsOf(role).includes(permission));
  }
  if (access.by !== 'operator') return false;
  if (access.about === 'new') return role === 'owner';
  return (
    mayAdminister(role) ||
    (access.permission !== null && permissionsOf(role).includes(access.permission))
  );
}

/** The credentials of a route: the names of the API's security schemes, and two more. */
export type Caller = 'apiKey' | 'operator' | 'session' | 'widget' | 'provider' | 'anyone';

const CALLERS: Readonly<Record<Access['by'], readonly Caller[]>> = {
  key: ['apiKey', 'operator', 'session'],
  operator: ['operator', 'session'],
  session: ['session'],
  widget: ['widget'],
  signature: ['provider'],
  public: ['anyone'],
};

export function callersOf({ by }: Access): readonly Caller[] {
  return CALLERS[by];
}

/** The permissions that a key, or a user's role, needs to call. */
export function permissionsNeeded(access: Access): readonly Permission[] {
  if (access.by === 'key') return access.permissions;
  return access.by === 'operator' && access.permission !== null ? [access.permission] : [];
}

/** The roles of users who may call; empty for a route that is not for people. */
export function rolesAllowed(access: Access): readonly Role[] {
  return ROLES.filter((role) => isForAllUsers(access) || mayDo(access, role));
}

function isForAllUsers(access: Access): boolean {
  return access.by === 'session' || (access.by === 'operator' && access.about === 'own');
}

export function missingPermissions(
  access: Access,
  principal: Principal,
  workspaceId = '',
): Permission[] {
  if (access.by !== 'key') return [];
  return access.permissions.filter((permission) => !isAllowed(principal, permission, workspaceId));
}
