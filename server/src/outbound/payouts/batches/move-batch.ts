import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { assertPays } from '../../../accounts/workspaces/payment-hold/assert-pays.ts';
import { authorOf } from '../../../domain/programs/program-deps.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError, conflict, notFound } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import { type BatchStatus, type BatchTrigger, batchTransition } from '../states.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { findBatch, findSettings, lockBatch, updateBatch } from './batch-store.ts';

function isBatchOf(batch: BatchRow, project: ProjectRef): boolean {
  return (
    batch.workspaceId === project.workspaceId &&
    batch.environment === project.environment &&
    batch.projectIds.includes(project.id)
  );
}

/** Fails with NOT_FOUND, also for a batch that the project is not in. */
export async function loadBatch(
  deps: PayoutDeps,
  project: ProjectRef,
  batchId: string,
): Promise<BatchRow> {
  const batch = await findBatch(deps.database.reads, batchId);
  if (!batch || !isBatchOf(batch, project)) throw notFound('payout batch');
  return batch;
}

type Asked = Exclude<BatchTrigger, 'finish'>;

const MOVING: Readonly<Record<Asked, BatchStatus>> = {
  approve: 'approving',
  submit: 'submitting',
  cancel: 'cancelling',
};

/**
 * Starts a move, or resumes one that was interrupted. Fails with NOT_FOUND, CONFLICT
 * `invalid_transition` or `store_restored`, or FORBIDDEN when the creator of a batch approves it.
 */
export async function beginMove(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  { batchId, trigger }: { readonly batchId: string; readonly trigger: Asked },
): Promise<void> {
  await deps.writer.run(request, async (write) => {
    const batch = await lockBatch(write.tx, batchId);
    if (!batch || !isBatchOf(batch, project)) throw notFound('payout batch');
    if (trigger !== 'cancel') await assertPays(write.tx, batch.workspaceId);
    const to = batchTransition(batch.status, trigger);
    if (!to && batch.status !== MOVING[trigger]) {
      throw conflict(
        'invalid_transition',
        `A payout batch that is ${batch.status} cannot be ${PAST[trigger]}.`,
      );
    }
    if (to) {
      if (trigger === 'approve') await assertMayApprove(write.tx, batch, request);
      const approval = trigger === 'approve' ? { approvedBy: authorOf(request.actor) } : {};
      updateBatch(write.tx, { ...batch, ...approval, status: to, updatedAt: write.realNow });
      recordAudit(write, request, {
        action: `payout_batch.${trigger}`,
        targetType: 'payout_batch',
        targetId: batchId,
        changes: { status: to },
        before: batch,
      });
    }
    return { answer: null };
  });
}

/** A workspace can require approval by a second person. API keys cannot give it. */
async function assertMayApprove(tx: Tx, batch: BatchRow, { actor }: WriteRequest): Promise<void> {
  const isSecond = actor.type !== 'key' && batch.createdBy !== authorOf(actor);
  if (isSecond || !(await findSettings(tx, batch.workspaceId)).requireSecondApprover) return;
  throw new AppError(
    'FORBIDDEN',
    'Another person than the creator must approve this batch. API keys cannot approve it.',
    { reason: 'second_approver_required' },
  );
}

const PAST: Readonly<Record<Asked, string>> = {
  approve: 'approved',
  submit: 'submitted',
  cancel: 'cancelled',
};

const TIMES: Partial<Record<BatchStatus, keyof BatchRow>> = {
  approved: 'approvedAt',
  submitted: 'submittedAt',
  cancelled: 'cancelledAt',
};

interface BatchMove {
  readonly batchId: string;
  readonly from: BatchStatus;
  readonly now: Instant;
}

/**
 * Completes a batch's move. Does not call `body` if somebody else has completed it. Returns whether
 * it was called.
 */
export async function finishMove(
  deps: PayoutDeps,
  { batchId, from, now }: BatchMove,
  body: (tx: Tx) => Promise<Partial<BatchRow>>,
): Promise<boolean> {
  return deps.database.transaction(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const to = batch?.status === from ? batchTransition(from, 'finish') : undefined;
    if (!batch || !to) return false;
    const changes = await body(tx);
    const time = TIMES[to];
    updateBatch(tx, {
      ...batch,
      ...changes,
      status: to,
      updatedAt: now,
      ...(time ? { [time]: now } : {}),
    });
    return true;
  });
}
