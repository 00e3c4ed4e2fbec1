import { sqlState, type Tx } from '../../../platform/db/database.ts';
import type { Principal, WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError, conflict, invalid } from '../../../platform/kit/errors.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../../workspaces/audit-log.ts';
import { findWorkspaceName } from '../../workspaces/queries.ts';
import type { AcceptInvitation } from '../schema.ts';
import { currentAuthCall } from '../sign-in/auth-call.ts';
import { hashPassword, judgePassword } from '../sign-in/passwords.ts';
import { hashToken } from '../sign-in/session-rules.ts';
import { findUserByEmail, findUserById, insertMembership, insertUser } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import {
  findInvitationByHash,
  hasOpenFor,
  type InvitationRow,
  lockInvitationByHash,
  lockOpenFor,
  updateAccepted,
} from './invitation-store.ts';

/** Fails with NOT_FOUND for an invalid or expired link. */
export async function showInvitation(deps: UserDeps, token: string) {
  const { reads } = deps.database;
  const row = await findInvitationByHash(reads, hashToken(token));
  const { email, role, expiresAt, workspaceId } = assertOpen(row, now(deps));
  return {
    workspaceName: await findWorkspaceName(reads, workspaceId),
    email,
    role,
    expiresAt,
    hasAccount: (await findUserByEmail(reads, email)) !== undefined,
  };
}

export interface Accepted {
  readonly invitation: InvitationRow;
  /** The password of a new user. */
  readonly password: string | null;
}

/**
 * Anyone with the link joins: signed in with its address, or as a new user. Fails with NOT_FOUND
 * for an invalid or expired link, FORBIDDEN for another user, CONFLICT for an address that has an
 * account but is not signed in, INVALID_REQUEST.
 */
export async function acceptInvitation(
  deps: UserDeps,
  principal: Principal | undefined,
  request: WriteRequest,
  input: AcceptInvitation & { readonly isLocal: boolean },
): Promise<Accepted> {
  const tokenHash = hashToken(input.token);
  const found = assertOpen(await findInvitationByHash(deps.database.reads, tokenHash), now(deps));
  if (principal?.type === 'user') {
    const { userId } = principal;
    const user = await findUserById(deps.database.reads, userId);
    if (user?.email !== found.email) {
      throw new AppError('FORBIDDEN', `This invitation is for ${found.email}. Sign out first.`, {
        reason: 'other_user',
      });
    }
    const invitation = await deps.database.transaction((tx) =>
      join(deps, tx, request, { tokenHash, userId }),
    );
    deps.userCache.forgetUser(userId);
    return { invitation, password: null };
  }
  if (await findUserByEmail(deps.database.reads, found.email)) throw hasAccount();
  const { name, password } = input;
  if (!name) throw invalid('name', 'is required');
  if (!password) throw invalid('password', 'is required');
  const fault = judgePassword(password, found.email);
  if (fault) throw invalid('password', fault);
  const passwordHash = await hashPassword(password, deps.settings.passwordCost);
  const userId = deps.newId('usr');
  const user = { id: userId, name, accountId: deps.newId('uac'), passwordHash };
  const invitation = await deps.database
    .transaction((tx) =>
      join(deps, tx, request, {
        tokenHash,
        userId,
        makeUser: ({ email }) =>
          insertUser(tx, { ...user, email, isLocal: input.isLocal }, now(deps)),
      }),
    )
    .catch((error) => {
      // They accepted an invitation to another Workspace at the same time.
      throw sqlState(error) === UNIQUE_VIOLATION ? hasAccount() : error;
    });
  return { invitation, password };
}

const UNIQUE_VIOLATION = '23505';

interface Joining {
  readonly tokenHash: string;
  readonly userId: string;
  /** For new users. */
  readonly makeUser?: (row: InvitationRow) => Promise<void>;
}

async function join(
  deps: UserDeps,
  tx: Tx,
  request: WriteRequest,
  { tokenHash, userId, makeUser }: Joining,
): Promise<InvitationRow> {
  const at = now(deps);
  // Of two concurrent calls, the second waits here and then finds it accepted.
  const row = assertOpen(await lockInvitationByHash(tx, tokenHash), at);
  await makeUser?.(row);
  const { id, workspaceId, role } = row;
  updateAccepted(tx, id, at);
  insertMembership(tx, { workspaceId, role }, userId, at);
  recordAudit(
    { tx, now: at, newId: deps.newId },
    { ...request, workspaceId, actor: { type: 'user', id: userId } },
    { action: 'invitation.accept', targetType: 'invitation', targetId: id, changes: { role } },
  );
  return { ...row, acceptedAt: at };
}

function assertOpen(row: InvitationRow | undefined, at: Instant): InvitationRow {
  const isOpen = row && row.acceptedAt === null && row.revokedAt === null && at < row.expiresAt;
  if (isOpen) return row;
  throw new AppError('NOT_FOUND', 'This invitation is no longer valid. Ask for a new one.');
}

function hasAccount(): AppError {
  return conflict(
    'sign_in_first',
    'This address already has an account. Sign in, then accept the invitation.',
  );
}

function now({ clock }: UserDeps): Instant {
  return toInstant(clock.nowMs());
}

/** Whether there is an open invitation for this address. */
export function isInvited({ database, clock }: UserDeps, email: string): Promise<boolean> {
  return hasOpenFor(database.reads, email.toLowerCase(), toInstant(clock.nowMs()));
}

/** Accepts all invitations to an address that was proven to be the user's. */
export async function joinInvited(deps: UserDeps, userId: string, email: string): Promise<void> {
  const now = toInstant(deps.clock.nowMs());
  await deps.database.transaction(async (tx) => {
    for (const invitation of await lockOpenFor(tx, email.toLowerCase(), now)) {
      const { id, workspaceId, role } = invitation;
      updateAccepted(tx, id, now);
      insertMembership(tx, { workspaceId, role }, userId, now);
      recordAudit(
        { tx, now, newId: deps.newId },
        {
          workspaceId,
          projectId: '',
          actor: { type: 'user', id: userId },
          requestId: currentAuthCall()?.requestId ?? '',
          ip: null,
          idempotency: null,
        },
        {
          action: 'invitation.accept',
          targetType: 'invitation',
          targetId: id,
          changes: { role },
        },
      );
    }
  });
  deps.userCache.forgetUser(userId);
}
