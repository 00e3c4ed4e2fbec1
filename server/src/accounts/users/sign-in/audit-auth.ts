import type { FastifyRequest } from 'fastify';
import type { UserPrincipal } from '../../../platform/http/access/principal.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../../workspaces/audit-log.ts';
import { listMembershipsOf } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import type { AuthAnswer } from './sign-in.ts';

/** The audit actions of these paths, for successful calls of a signed-in user. */
const ACTIONS: Readonly<Record<string, string>> = {
  '/sign-out': 'user.sign_out',
  '/two-factor/disable': 'user.totp_disable',
  '/two-factor/generate-backup-codes': 'user.backup_codes',
  '/revoke-session': 'user.session_revoke',
  '/revoke-sessions': 'user.session_revoke',
  '/change-password': 'user.password_change',
};

interface AuthEvent {
  readonly path: string;
  readonly user: UserPrincipal | undefined;
  readonly answered: AuthAnswer;
  readonly request: FastifyRequest;
}

/** Records a call of the library in the audit log of every Workspace of its user. */
export async function noteAuthCall(deps: UserDeps, event: AuthEvent): Promise<void> {
  const noted = describe(event);
  if (!noted) return;
  const { userId, action, changes } = noted;
  const { request } = event;
  const now = toInstant(deps.clock.nowMs());
  await deps.database.transaction(async (tx) => {
    for (const { workspaceId } of await listMembershipsOf(tx, userId)) {
      recordAudit(
        { tx, now, newId: deps.newId },
        {
          workspaceId,
          projectId: '',
          actor: { type: 'user', id: userId },
          requestId: request.id,
          ip: request.ip,
          idempotency: null,
        },
        { action, targetType: 'user', targetId: userId, changes },
      );
    }
  });
}

interface Noted {
  readonly userId: string;
  readonly action: string;
  readonly changes: Record<string, unknown>;
}

function describe({ path, user, answered }: AuthEvent): Noted | undefined {
  const { status, body, call } = answered;
  if (call.wrongCodeOf !== null) {
    return { userId: call.wrongCodeOf, action: 'user.wrong_code', changes: {} };
  }
  if (status >= 400) return undefined;
  if (call.resetOf !== null) {
    return { userId: call.resetOf, action: 'user.password_reset', changes: {} };
  }
  if (call.linkedTo !== null && !call.began) {
    return { userId: call.linkedTo, action: 'user.provider_link', changes: {} };
  }
  if (user && !/^\/(sign-in|callback)\//.test(path)) {
    if (path === '/two-factor/verify-totp' && call.began) {
      return { userId: user.userId, action: 'user.totp_enable', changes: {} };
    }
    const action = ACTIONS[path];
    return action ? { userId: user.userId, action, changes: {} } : undefined;
  }
  const isAskedFor = (body as { twoFactorRedirect?: boolean } | null)?.twoFactorRedirect === true;
  if (!call.began || isAskedFor) return undefined;
  const { userId, method } = call.began;
  const hasTotp = path.startsWith('/two-factor/');
  return { userId, action: 'user.sign_in', changes: { method, hasTotp } };
}
