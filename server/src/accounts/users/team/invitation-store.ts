import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Role } from '../../../platform/http/access/permissions.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

export interface InvitationRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly revokedAt: Instant | null;
}

const INVITATION = `id, workspace_id as "workspaceId", email, role, created_at as "createdAt",
  expires_at as "expiresAt", accepted_at as "acceptedAt", revoked_at as "revokedAt"`;
const OPEN = 'accepted_at is null and revoked_at is null';

export async function insertInvitation(
  tx: Tx,
  invitation: InvitationRow,
  { tokenHash, invitedBy }: { readonly tokenHash: string; readonly invitedBy: string | null },
): Promise<void> {
  await tx.query(
    `insert into invitations (id, workspace_id, email, role, token_hash, invited_by, created_at,
       expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      invitation.id,
      invitation.workspaceId,
      invitation.email,
      invitation.role,
      tokenHash,
      invitedBy,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  );
}

export async function findInvitationByHash(
  db: Queryable,
  tokenHash: string,
): Promise<InvitationRow | undefined> {
  const [row] = await db.query<InvitationRow>(
    `select ${INVITATION} from invitations where token_hash = $1`,
    [tokenHash],
  );
  return row;
}

export async function lockInvitationByHash(
  tx: Tx,
  tokenHash: string,
): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(
    `select ${INVITATION} from invitations where token_hash = $1 for update`,
    [tokenHash],
  );
  return row;
}

export async function lockInvitation(tx: Tx, id: string): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(
    `select ${INVITATION} from invitations where id = $1 for update`,
    [id],
  );
  return row;
}

export async function findInvitationWorkspace(
  db: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from invitations where id = $1',
    [id],
  );
  return row?.workspaceId;
}

export function updateAccepted(tx: Tx, id: string, now: Instant): void {
  tx.send('update invitations set accepted_at = $2 where id = $1', [id, now]);
}

export function updateRevoked(tx: Tx, id: string, now: Instant): void {
  tx.send('update invitations set revoked_at = $2 where id = $1', [id, now]);
}

/** Open invitations of one address to one Workspace. */
export function revokeOpenFor(tx: Tx, workspaceId: string, email: string, now: Instant): void {
  tx.send(
    `update invitations set revoked_at = $3
     where workspace_id = $1 and email = $2 and expires_at > $3 and ${OPEN}`,
    [workspaceId, email, now],
  );
}

/** Open invitations that a user sent for one Workspace. */
export function revokeOpenOf(tx: Tx, workspaceId: string, userId: string, now: Instant): void {
  tx.send(
    `update invitations set revoked_at = $3
     where workspace_id = $1 and invited_by = $2 and expires_at > $3 and ${OPEN}`,
    [workspaceId, userId, now],
  );
}

export function lockOpenFor(tx: Tx, email: string, now: Instant): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `select ${INVITATION} from invitations where email = $1 and expires_at > $2 and ${OPEN}
     order by id for update`,
    [email, now],
  );
}

export async function hasOpenFor(db: Queryable, email: string, now: Instant): Promise<boolean> {
  const rows = await db.query(
    `select 1 from invitations where email = $1 and expires_at > $2 and ${OPEN} limit 1`,
    [email, now],
  );
  return rows.length > 0;
}

export function listInvitations(
  db: Queryable,
  workspaceId: string,
  page: CursorPage,
): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(
    `select ${INVITATION} from invitations
     where workspace_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
    [workspaceId, page.beforeId, page.limit + 1],
  );
}

export function deleteOldInvitations(
  tx: Tx,
  endedBefore: Instant,
  limit: number,
): Promise<unknown[]> {
  return tx.query(
    `delete from invitations where id = any(
       array(select id from invitations where expires_at <= $1 limit $2)) returning 1`,
    [endedBefore, limit],
  );
}
