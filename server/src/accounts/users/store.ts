import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, hasRow, listRows, listValues, sendWrite } from '../../platform/db/statements.ts';
import type { Role } from '../../platform/http/access/permissions.ts';
import type { Membership } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Member, Session } from './schema.ts';

export type UserRow = Session['user'];

export interface SessionRow {
  readonly id: string;
  readonly method: 'password' | 'oidc';
  readonly createdAt: Instant;
  readonly seenAt: Instant;
  readonly user: UserRow;
  /** The account was created by a browser on the service's own machine. */
  readonly isLocal: boolean;
  readonly memberships: readonly SessionMembership[];
}

interface SessionMembership extends Membership {
  readonly workspaceName: string;
  readonly operatorsNeedTotp: boolean;
}

const SESSION = `select s.id, s.method, s.created_at as "createdAt", s.seen_at as "seenAt",
    jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name,
      'totpEnabled', u.two_factor_enabled) as user, u.created_locally as "isLocal",
    coalesce((select jsonb_agg(jsonb_build_object('workspaceId', m.workspace_id, 'role', m.role,
        'workspaceName', w.name, 'operatorsNeedTotp', w.operators_need_totp) order by w.name, w.id)
      from memberships m join workspaces w on w.id = m.workspace_id
      where m.user_id = u.id), '[]') as memberships
  from user_sessions s join users u on u.id = s.user_id`;

export const findSessionByHash = findRow<SessionRow, [tokenHash: string]>(
  `${SESSION} where s.token_hash = $1`,
);

export const findSessionById = findRow<SessionRow, [sessionId: string]>(
  `${SESSION} where s.id = $1`,
);

export function updateSeen(tx: Tx, sessionId: string, userId: string, now: Instant): void {
  tx.send('update user_sessions set seen_at = $2 where id = $1', [sessionId, now]);
  updateUserSeen(tx, userId, now);
}

export const updateUserSeen = sendWrite<[userId: string, now: Instant]>(
  'update users set seen_at = $2 where id = $1',
);

export async function hasUsers(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from users limit 1')).length > 0;
}

/** Waits for a concurrent set-up. Null if no link was printed, or it was used. */
export async function lockSetup(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ tokenHash: string | null }>(
    `select token_hash as "tokenHash" from console_setup where id = 'first' for update`,
  );
  return row?.tokenHash ?? null;
}

export const updateSetup = sendWrite<[tokenHash: string | null]>(
  `update console_setup set token_hash = $1 where id = 'first'`,
);

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly accountId: string;
  readonly passwordHash: string;
  /** Created by a browser on the service's own machine. */
  readonly isLocal: boolean;
}

/** With a password to sign in with. Fails with a unique violation if the address is taken. */
export async function insertUser(tx: Tx, user: NewUser, now: Instant): Promise<void> {
  await tx.query(
    `insert into users (id, email, name, email_verified, created_locally, created_at, updated_at)
     values ($1, $2, $3, false, $5, $4, $4)`,
    [user.id, user.email, user.name, now, user.isLocal],
  );
  await tx.query(
    `insert into user_accounts (id, user_id, provider_id, account_id, password, created_at,
       updated_at)
     values ($1, $2, 'credential', $2, $3, $4, $4)`,
    [user.accountId, user.id, user.passwordHash, now],
  );
}

export const findUserByEmail = findRow<UserRow, [email: string]>(
  `select id, email, name, two_factor_enabled as "totpEnabled" from users where email = $1`,
);

export const findUserById = findRow<UserRow, [id: string]>(
  `select id, email, name, two_factor_enabled as "totpEnabled" from users where id = $1`,
);

export const listWorkspaceIds = listValues<string>('select id from workspaces order by id');

export const listMembershipsOf = listRows<
  Membership,
  [userId: string]
>(`select workspace_id as "workspaceId", role from memberships where user_id = $1
     order by workspace_id`);

/** An existing member of the Workspace keeps their role. */
export function insertMembership(
  tx: Tx,
  { workspaceId, role }: Membership,
  userId: string,
  now: Instant,
): void {
  tx.send(
    `insert into memberships (workspace_id, user_id, role, created_at, updated_at)
     values ($1, $2, $3, $4, $4) on conflict (workspace_id, user_id) do nothing`,
    [workspaceId, userId, role, now],
  );
}

/** Locked, so that of two concurrent changes the second sees the result of the first. */
export const lockOwners = listValues<
  string,
  [workspaceId: string],
  Tx
>(`select user_id as "userId" from memberships where workspace_id = $1 and role = 'owner'
     order by user_id for update`);

export async function lockMembership(
  tx: Tx,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> {
  const [row] = await tx.query<{ role: Role }>(
    'select role from memberships where workspace_id = $1 and user_id = $2 for update',
    [workspaceId, userId],
  );
  return row?.role;
}

export function updateRole(
  tx: Tx,
  { workspaceId, role }: Membership,
  userId: string,
  now: Instant,
): void {
  tx.send(
    'update memberships set role = $3, updated_at = $4 where workspace_id = $1 and user_id = $2',
    [workspaceId, userId, role, now],
  );
}

export const deleteMembership = sendWrite<[workspaceId: string, userId: string]>(
  'delete from memberships where workspace_id = $1 and user_id = $2',
);

/**
 * Deletes a user who is in no Workspace any more. Locked in a separate statement: it waits for a
 * concurrent membership in another Workspace, and then sees it.
 */
export async function deleteStranger(tx: Tx, userId: string): Promise<void> {
  await tx.query('select 1 from users where id = $1 for update', [userId]);
  await tx.query(
    `delete from users where id = $1
       and not exists (select 1 from memberships m where m.user_id = $1)`,
    [userId],
  );
}

const MEMBER = `select u.id, u.email, u.name, u.two_factor_enabled as "totpEnabled", m.role,
    u.seen_at as "lastSeenAt", m.created_at as "joinedAt"
  from memberships m join users u on u.id = m.user_id`;

export function listMembers(
  db: Queryable,
  workspaceId: string,
  page: CursorPage,
): Promise<Member[]> {
  return db.query<Member>(
    `${MEMBER} where m.workspace_id = $1 and ($2::text is null or u.id < $2)
     order by u.id desc limit $3`,
    [workspaceId, page.beforeId, page.limit + 1],
  );
}

export const findMember = findRow<Member, [workspaceId: string, userId: string]>(
  `${MEMBER} where m.workspace_id = $1 and m.user_id = $2`,
);

export const hasMemberWithEmail = hasRow<
  [workspaceId: string, email: string]
>(`select 1 from memberships m join users u on u.id = m.user_id
     where m.workspace_id = $1 and u.email = $2`);

export const deleteIdleSessions = listRows<
  unknown,
  [seenBefore: Instant, limit: number],
  Tx
>(`delete from user_sessions where id = any(
       array(select id from user_sessions where seen_at <= $1 limit $2)) returning 1`);

export const deleteOldVerifications = listRows<
  unknown,
  [endedBefore: Instant, limit: number],
  Tx
>(`delete from user_verifications where id = any(
       array(select id from user_verifications where expires_at <= $1 limit $2)) returning 1`);

export const findTeamSettings = findRow<{ operatorsNeedTotp: boolean }, [workspaceId: string]>(
  'select operators_need_totp as "operatorsNeedTotp" from workspaces where id = $1',
);

/** Returns whether anything changed. */
export const updateTeamSettings = hasRow<
  [workspaceId: string, operatorsNeedTotp: boolean, now: Instant],
  Tx
>(`update workspaces set operators_need_totp = $2, updated_at = $3
     where id = $1 and operators_need_totp <> $2 returning 1`);

/** Whether this user has any way to sign in. */
export const hasAccount = hasRow<[userId: string]>(
  'select 1 from user_accounts where user_id = $1 limit 1',
);

export const hasPassword = hasRow<[userId: string]>(
  `select 1 from user_accounts where user_id = $1 and provider_id = 'credential' limit 1`,
);

/** True only the first time, until `expiresAt`; of two concurrent calls, for one. */
export async function insertOnce(
  tx: Tx,
  id: string,
  now: Instant,
  expiresAt: Instant,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into user_verifications (id, identifier, value, expires_at, created_at, updated_at)
     values ($1, $1, '', $2, $3, $3) on conflict (id) do nothing returning 1`,
    [id, expiresAt, now],
  );
  return rows.length > 0;
}

export const deleteOtherSessions = sendWrite<[userId: string, sessionId: string]>(
  'delete from user_sessions where user_id = $1 and id <> $2',
);

export const deletePending = sendWrite<[userId: string]>(
  'delete from user_verifications where value = $1',
);

/** The user's address of a mailed password link, by the library's identifier of the link. */
export async function findResetEmail(db: Queryable, token: string): Promise<string | undefined> {
  const identifier = createHash('sha256').update(`reset-password:${token}`).digest('base64url');
  const [row] = await db.query<{ email: string }>(
    `select u.email from user_verifications v join users u on u.id = v.value
     where v.identifier = $1`,
    [identifier],
  );
  return row?.email;
}
