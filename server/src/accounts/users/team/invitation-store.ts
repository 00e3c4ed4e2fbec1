import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow, hasRow, listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Invitation } from '../schema.ts';

export type InvitationRow = Omit<Invitation, 'status'>;

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

export const findInvitationByHash = findRow<InvitationRow, [tokenHash: string]>(
  `select ${INVITATION} from invitations where token_hash = $1`,
);

export const lockInvitationByHash = findRow<InvitationRow, [tokenHash: string], Tx>(
  `select ${INVITATION} from invitations where token_hash = $1 for update`,
);

export const lockInvitation = findRow<InvitationRow, [id: string], Tx>(
  `select ${INVITATION} from invitations where id = $1 for update`,
);

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

export const updateAccepted = sendWrite<[id: string, now: Instant]>(
  'update invitations set accepted_at = $2 where id = $1',
);

export const updateRevoked = sendWrite<[id: string, now: Instant]>(
  'update invitations set revoked_at = $2 where id = $1',
);

/** Open invitations of one address to one Workspace. */
export const revokeOpenFor = sendWrite<
  [workspaceId: string, email: string, now: Instant]
>(`update invitations set revoked_at = $3
     where workspace_id = $1 and email = $2 and expires_at > $3 and ${OPEN}`);

/** Open invitations that a user sent for one Workspace. */
export const revokeOpenOf = sendWrite<
  [workspaceId: string, userId: string, now: Instant]
>(`update invitations set revoked_at = $3
     where workspace_id = $1 and invited_by = $2 and expires_at > $3 and ${OPEN}`);

export const lockOpenFor = listRows<
  InvitationRow,
  [email: string, now: Instant],
  Tx
>(`select ${INVITATION} from invitations where email = $1 and expires_at > $2 and ${OPEN}
     order by id for update`);

export const hasOpenFor = hasRow<[email: string, now: Instant]>(
  `select 1 from invitations where email = $1 and expires_at > $2 and ${OPEN} limit 1`,
);

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

export const deleteOldInvitations = listRows<
  unknown,
  [endedBefore: Instant, limit: number],
  Tx
>(`delete from invitations where id = any(
       array(select id from invitations where expires_at <= $1 limit $2)) returning 1`);
