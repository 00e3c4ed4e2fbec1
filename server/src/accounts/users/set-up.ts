import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { AppError, conflict, invalid } from '../../platform/kit/errors.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { recordAudit } from '../workspaces/audit-log.ts';
import { createWorkspaceIn } from '../workspaces/workspaces.ts';
import type { SetUp } from './schema.ts';
import { hashPassword, judgePassword } from './sign-in/passwords.ts';
import { hashToken } from './sign-in/session-rules.ts';
import {
  hasUsers,
  insertMembership,
  insertUser,
  listWorkspaceIds,
  lockSetup,
  updateSetup,
} from './store.ts';
import type { UserDeps } from './user-deps.ts';

/**
 * The part after the # of the set-up link; null once there is a user. Each start creates a new one
 * and invalidates the previous one.
 */
export async function openSetup({ database }: Pick<UserDeps, 'database'>): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  return database.transaction(async (tx) => {
    await lockSetup(tx);
    if (await hasUsers(tx)) return null;
    updateSetup(tx, hashToken(token));
    return token;
  });
}

/** Whether there is no user yet, and whether the first one has to name a Workspace. */
export async function showSetup({ database: { reads } }: Pick<UserDeps, 'database'>): Promise<{
  isOpen: boolean;
  needsWorkspaceName: boolean;
}> {
  const isOpen = !(await hasUsers(reads));
  return { isOpen, needsWorkspaceName: isOpen && (await listWorkspaceIds(reads)).length === 0 };
}

/**
 * Creates the first user, who owns all existing Workspaces, or a new one. Fails with CONFLICT once
 * there is a user, FORBIDDEN for a token other than the last printed one, INVALID_REQUEST.
 */
export async function setUp(
  deps: UserDeps,
  request: WriteRequest,
  input: SetUp,
  isLocal: boolean,
): Promise<string> {
  const email = input.email.toLowerCase();
  const fault = judgePassword(input.password, email);
  if (fault) throw invalid('password', fault);
  if (await hasUsers(deps.database.reads)) throw isDone();
  const passwordHash = await hashPassword(input.password, deps.settings.passwordCost);
  const now = toInstant(deps.clock.nowMs());
  const { newId } = deps;
  const userId = newId('usr');
  const asked: WriteRequest = { ...request, actor: { type: 'user', id: userId } };
  await deps.database.transaction(async (tx) => {
    // Of two concurrent calls, the second waits here and then sees the first's user.
    const tokenHash = await lockSetup(tx);
    if (await hasUsers(tx)) throw isDone();
    if (!isSame(tokenHash, hashToken(input.token))) {
      throw new AppError(
        'FORBIDDEN',
        'This setup link is out of date. Use the one that the service printed last.',
        {
          reason: 'wrong_setup_token',
        },
      );
    }
    updateSetup(tx, null);
    const { name: userName } = input;
    const user = { id: userId, email, name: userName, accountId: newId('uac'), passwordHash };
    await insertUser(tx, { ...user, isLocal }, now);
    const workspaceIds = await listWorkspaceIds(tx);
    const name = input.workspaceName ?? undefined;
    if (workspaceIds.length > 0 && name !== undefined) {
      throw invalid('workspaceName', 'is not allowed, because there already is a Workspace');
    }
    if (workspaceIds.length === 0) {
      if (name === undefined) throw invalid('workspaceName', 'is required');
      workspaceIds.push((await createWorkspaceIn({ tx, now, newId }, asked, name)).id);
    }
    for (const workspaceId of workspaceIds) {
      insertMembership(tx, { workspaceId, role: 'owner' }, userId, now);
      recordAudit(
        { tx, now, newId },
        { ...asked, workspaceId },
        { action: 'user.set_up', targetType: 'user', targetId: userId, changes: { role: 'owner' } },
      );
    }
  });
  return userId;
}

function isSame(kept: string | null, sent: string): boolean {
  return kept !== null && timingSafeEqual(Buffer.from(kept), Buffer.from(sent));
}

function isDone(): AppError {
  return conflict(
    'setup_done',
    'The service is already set up. Sign in, or ask for an invitation.',
  );
}
