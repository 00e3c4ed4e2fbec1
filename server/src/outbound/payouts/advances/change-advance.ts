import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { findProjectRef } from '../../../accounts/workspaces/queries.ts';
import { findParticipant } from '../../../domain/participants/queries.ts';
import { findPartnerPlace } from '../../../domain/partners/queries.ts';
import { authorOf } from '../../../domain/programs/program-deps.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalid, noSuch } from '../../../platform/kit/errors.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import type { AdvanceBalance } from './advance.ts';
import { findAdvance, lockAdvance, updateDecision } from './advance-store.ts';

type ChangeDeps = Pick<PayoutDeps, 'database' | 'clock' | 'newId'>;

/** Who received a transfer: a partner, or a participant of a project. */
export interface Receiver {
  readonly partnerId: string | null;
  readonly projectId: string | null;
  readonly participantId: string | null;
}

/**
 * Records who received an advance, or that it does not count. A repeat changes nothing. Fails with
 * NOT_FOUND, or INVALID_REQUEST for a receiver that is not of the advance's workspace and
 * environment.
 */
export async function changeAdvance(
  deps: ChangeDeps,
  request: WriteRequest,
  advanceId: string,
  change: { readonly receiver: Receiver | null; readonly reason: string },
): Promise<AdvanceBalance> {
  const { workspaceId } = request;
  const { reads } = deps.database;
  const before = await findAdvance(reads, workspaceId, advanceId);
  if (!before) throw noSuch('advance');
  const payee = change.receiver && (await readPayee(deps, before, change.receiver));
  const status = payee === null ? 'dismissed' : 'counted';
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    await lockAdvance(tx, workspaceId, advanceId);
    const current = await findAdvance(tx, workspaceId, advanceId);
    if (!current || (current.status === status && (payee ?? current.payee) === current.payee)) {
      return;
    }
    updateDecision(tx, advanceId, status, payee, authorOf(request.actor), change.reason, now);
    recordAudit({ tx, now, newId: deps.newId }, request, {
      action: `payout_advance.${payee === null ? 'dismiss' : 'assign'}`,
      targetType: 'payout_advance',
      targetId: advanceId,
      changes: { status, payee: payee ?? current.payee, reason: change.reason },
      before: { status: current.status, payee: current.payee },
    });
  });
  const after = await findAdvance(reads, workspaceId, advanceId);
  if (!after) throw noSuch('advance');
  return after;
}

async function readPayee(
  { database: { reads } }: ChangeDeps,
  { workspaceId, environment }: AdvanceBalance,
  { partnerId, projectId, participantId }: Receiver,
): Promise<string> {
  if (partnerId !== null) {
    if (projectId !== null || participantId !== null) {
      throw invalid('partnerId', 'excludes projectId and participantId');
    }
    const place = await findPartnerPlace(reads, partnerId);
    const isTheirs = place?.workspaceId === workspaceId && place.environment === environment;
    if (!isTheirs) throw invalid('partnerId', 'is no partner of this workspace and environment');
    return partnerId;
  }
  if (projectId === null) throw invalid('projectId', 'is missing');
  if (participantId === null) throw invalid('participantId', 'is missing');
  const project = await findProjectRef(reads, projectId);
  const isTheirs = project?.workspaceId === workspaceId && project.environment === environment;
  if (!isTheirs) throw invalid('projectId', 'is no project of this workspace and environment');
  const participant = await findParticipant(reads, projectId, participantId);
  if (!participant) throw invalid('participantId', 'is no participant of the project');
  return participant.partnerId ?? `${projectId}:${participantId}`;
}
