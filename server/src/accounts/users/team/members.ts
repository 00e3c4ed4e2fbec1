import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { mayManage, type Role } from '../../../platform/http/access/permissions.ts';
import {
  type Principal,
  roleIn,
  type WriteRequest,
} from '../../../platform/http/access/principal.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { AppError, conflict, noSuch } from '../../../platform/kit/errors.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../../workspaces/audit-log.ts';
import { assertWorkspace } from '../../workspaces/queries.ts';
import type { Member } from '../schema.ts';
import {
  deleteMembership,
  deleteStranger,
  findMember,
  insertMembership,
  listMembers,
  lockMembership,
  lockOwners,
  updateRole,
} from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import { revokeOpenFor, revokeOpenOf } from './invitation-store.ts';

interface Place {
  readonly workspaceId: string;
  readonly userId: string;
}

/**
 * Takes effect at once here, and within a second in other processes. Fails with NOT_FOUND,
 * FORBIDDEN for an admin changing an owner, CONFLICT for the last owner.
 */
export async function changeRole(
  deps: UserDeps,
  principal: Principal,
  request: WriteRequest,
  { workspaceId, userId, role }: Place & { readonly role: Role },
): Promise<Member> {
  const now = toInstant(deps.clock.nowMs());
  const member = await deps.database.transaction(async (tx) => {
    const before = await lockManaged(tx, principal, { workspaceId, userId });
    assertManages(principal, workspaceId, role);
    if (before === role) return findMember(tx, workspaceId, userId);
    if (before === 'owner') await assertOthersOwn(tx, { workspaceId, userId });
    updateRole(tx, { workspaceId, role }, userId, now);
    if (role !== 'owner') revokeOpenOf(tx, workspaceId, userId, now);
    recordAudit(
      { tx, now, newId: deps.newId },
      { ...request, workspaceId },
      { action: 'user.role', targetType: 'user', targetId: userId, changes: { role, before } },
    );
    return findMember(tx, workspaceId, userId);
  });
  deps.userCache.forgetUser(userId);
  return member as Member;
}

/**
 * Returns the removed member. A user who is in no other Workspace is deleted, with their sessions:
 * invited again, they are a new user. Fails like `changeRole`.
 */
export async function removeMember(
  deps: UserDeps,
  principal: Principal,
  request: WriteRequest,
  { workspaceId, userId }: Place,
): Promise<Member> {
  const now = toInstant(deps.clock.nowMs());
  const member = await deps.database.transaction(async (tx) => {
    const role = await lockManaged(tx, principal, { workspaceId, userId });
    if (role === 'owner') await assertOthersOwn(tx, { workspaceId, userId });
    const removed = (await findMember(tx, workspaceId, userId)) as Member;
    deleteMembership(tx, workspaceId, userId);
    await deleteStranger(tx, userId);
    // They must not return by a link that is still open, to them or sent by them.
    revokeOpenFor(tx, workspaceId, removed.email, now);
    revokeOpenOf(tx, workspaceId, userId, now);
    recordAudit(
      { tx, now, newId: deps.newId },
      { ...request, workspaceId },
      { action: 'user.remove', targetType: 'user', targetId: userId, changes: { role } },
    );
    return removed;
  });
  deps.userCache.forgetUser(userId);
  return member;
}

async function lockManaged(
  tx: Tx,
  principal: Principal,
  { workspaceId, userId }: Place,
): Promise<Role> {
  const role = await lockMembership(tx, workspaceId, userId);
  if (role === undefined) throw noSuch('user');
  assertManages(principal, workspaceId, role);
  return role;
}

/** A Workspace without an owner could never get one again. */
async function assertOthersOwn(tx: Tx, { workspaceId, userId }: Place): Promise<void> {
  const owners = await lockOwners(tx, workspaceId);
  if (owners.some((id) => id !== userId)) return;
  throw conflict('last_owner', 'This user is the last owner. Make another user an owner first.');
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function listTeam(
  db: Queryable,
  workspaceId: string,
  page: CursorPage,
): Promise<Member[]> {
  await assertWorkspace(db, workspaceId);
  return listMembers(db, workspaceId, page);
}

export function addOwner(tx: Tx, workspaceId: string, userId: string, now: Instant): void {
  insertMembership(tx, { workspaceId, role: 'owner' }, userId, now);
}

/** Fails with FORBIDDEN for a caller who may not invite, change or remove somebody of that role. */
export function assertManages(principal: Principal, workspaceId: string, other: Role): void {
  if (principal.type === 'operator') return;
  const role = principal.type === 'user' ? roleIn(principal, workspaceId) : undefined;
  if (role !== undefined && mayManage(role, other)) return;
  throw new AppError('FORBIDDEN', `Only owners may manage users with the role ${other}.`);
}
