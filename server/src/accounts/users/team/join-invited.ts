import { toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../../workspaces/audit/record-audit.ts';
import { currentAuthCall } from '../sign-in/auth-call.ts';
import { insertMembership } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import { hasOpenFor, lockOpenFor, updateAccepted } from './invitation-store.ts';

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
