import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Principal, WriteRequest } from '../../../platform/http/access/principal.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { conflict, noSuch } from '../../../platform/kit/errors.ts';
import { addMs, type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../../workspaces/audit-log.ts';
import { assertWorkspace, findWorkspaceName } from '../../workspaces/queries.ts';
import { lockWorkspace } from '../../workspaces/workspaces.ts';
import type { Invitation, Invite } from '../schema.ts';
import { hashToken, INVITATION_MS } from '../sign-in/session-rules.ts';
import { hasMemberWithEmail } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import {
  type InvitationRow,
  insertInvitation,
  listInvitations,
  lockInvitation,
  lockOpenFor,
  updateRevoked,
} from './invitation-store.ts';
import { writeInvitationMail } from './link-mail.ts';
import { assertManages } from './members.ts';

function toInvitation(row: InvitationRow, now: Instant): Invitation {
  return { ...row, status: statusOf(row, now) };
}

function statusOf(row: InvitationRow, now: Instant): Invitation['status'] {
  if (row.acceptedAt !== null) return 'accepted';
  if (row.revokedAt !== null) return 'revoked';
  return row.expiresAt <= now ? 'expired' : 'open';
}

/**
 * Replaces an open invitation of the same address. The link is mailed if mails are enabled.
 * Otherwise it is returned, once, to be passed on; the operator always gets it. A user does not get
 * a mailed link: the person who accepts must be the reader of that address, not the sender. Fails
 * with NOT_FOUND, FORBIDDEN for a role that the caller may not give, or CONFLICT for a member of
 * the Workspace.
 */
export async function invite(
  deps: UserDeps,
  principal: Principal,
  request: WriteRequest,
  input: Invite,
): Promise<{ invitation: Invitation; link: string | null; mailed: boolean }> {
  const { workspaceId, role } = input;
  assertManages(principal, workspaceId, role);
  const now = toInstant(deps.clock.nowMs());
  const token = randomBytes(32).toString('base64url');
  const row: InvitationRow = {
    id: deps.newId('inv'),
    workspaceId,
    email: input.email.toLowerCase(),
    role,
    createdAt: now,
    expiresAt: addMs(now, INVITATION_MS),
    acceptedAt: null,
    revokedAt: null,
  };
  await deps.database.transaction(async (tx) => {
    // Of two concurrent invitations of one address, the second sees the first and replaces it.
    await lockWorkspace(tx, workspaceId);
    if (await hasMemberWithEmail(tx, workspaceId, row.email)) {
      throw conflict('already_member', 'A user with this address is already in the Workspace.');
    }
    for (const open of await lockOpenFor(tx, row.email, now)) {
      if (open.workspaceId !== workspaceId) continue;
      assertManages(principal, workspaceId, open.role);
      updateRevoked(tx, open.id, now);
    }
    const invitedBy = principal.type === 'user' ? principal.userId : null;
    await insertInvitation(tx, row, { tokenHash: hashToken(token), invitedBy });
    recordAudit(
      { tx, now, newId: deps.newId },
      { ...request, workspaceId },
      {
        action: 'invitation.create',
        targetType: 'invitation',
        targetId: row.id,
        changes: { role, expiresAt: row.expiresAt },
      },
    );
  });
  const link = `${deps.settings.baseUrl}/console/invitation#${token}`;
  const mailed = await mail(deps, row, link, request.requestId);
  const isShown = !mailed || principal.type !== 'user';
  return { invitation: toInvitation(row, now), link: isShown ? link : null, mailed };
}

async function mail(
  { mailer, database, onFailure }: UserDeps,
  { email, workspaceId, role }: InvitationRow,
  link: string,
  requestId: string,
): Promise<boolean> {
  if (!mailer) return false;
  try {
    const workspaceName = await findWorkspaceName(database.reads, workspaceId);
    await mailer.send(writeInvitationMail({ to: email, workspaceName, role, link }));
    return true;
  } catch (error) {
    onFailure(error, requestId);
    return false;
  }
}

/** Revoking again changes nothing, nor does revoking an accepted one. Fails with NOT_FOUND. */
export async function revokeInvitation(
  deps: UserDeps,
  principal: Principal,
  request: WriteRequest,
  id: string,
): Promise<Invitation> {
  const now = toInstant(deps.clock.nowMs());
  const row = await deps.database.transaction(async (tx) => {
    const found = await lockInvitation(tx, id);
    if (!found) throw noSuch('invitation');
    assertManages(principal, found.workspaceId, found.role);
    if (found.acceptedAt !== null || found.revokedAt !== null) return found;
    updateRevoked(tx, id, now);
    recordAudit(
      { tx, now, newId: deps.newId },
      { ...request, workspaceId: found.workspaceId },
      {
        action: 'invitation.revoke',
        targetType: 'invitation',
        targetId: id,
        changes: { revokedAt: now },
      },
    );
    return { ...found, revokedAt: now };
  });
  return toInvitation(row, now);
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function showInvitations(
  db: Queryable,
  workspaceId: string,
  page: CursorPage,
  now: Instant,
): Promise<Invitation[]> {
  await assertWorkspace(db, workspaceId);
  const rows = await listInvitations(db, workspaceId, page);
  return rows.map((row) => toInvitation(row, now));
}
