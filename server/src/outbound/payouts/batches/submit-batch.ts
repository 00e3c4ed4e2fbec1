import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { type PayoutDeps, realNow, runStep, SLICE } from '../payout-deps.ts';
import { isConnected } from '../queries.ts';
import { applyToBatch } from '../transfers/apply-outcomes.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { updateStatusOfBatch } from '../transfers/payout-store.ts';
import { findBatch } from './batch-store.ts';
import { beginMove, finishMove, loadBatch } from './move-batch.ts';
import { updateStatusOfParts } from './part-store.ts';

/**
 * Submits the transfers: the worker orders those of a provider; an operator makes the others from
 * the export. Fails with NOT_FOUND, or CONFLICT `not_connected` or `invalid_transition`.
 */
export async function submitBatch(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  batchId: string,
): Promise<BatchRow> {
  const batch = await loadBatch(deps, project, batchId);
  if (!(await isConnected(deps, batch))) {
    throw conflict('not_connected', `There is no payout connection for ${batch.method}.`);
  }
  await beginMove(deps, project, request, { batchId, trigger: 'submit' });
  await continueSubmission(deps, await loadBatch(deps, project, batchId));
  return loadBatch(deps, project, batchId);
}

export async function continueSubmission(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  if (batch.status !== 'submitting') return;
  const batchId = batch.id;
  // Transfers that the approval cancelled must be applied before the others move.
  await applyToBatch(deps, batchId);
  for (const projectId of batch.projectIds) {
    const move = () =>
      runStep(deps, projectId, async ({ tx, now }) => {
        if ((await findBatch(tx, batchId))?.status !== 'submitting') return 0;
        return updateStatusOfParts(tx, projectId, batchId, {
          from: 'approved',
          to: 'processing',
          now,
          limit: SLICE,
        });
      });
    while ((await move()) === SLICE);
  }
  const now = realNow(deps);
  const dueAt = batch.method === 'manual_export' ? null : now;
  await finishMove(deps, { batchId, from: 'submitting', now }, async (tx) => {
    updateStatusOfBatch(tx, batchId, { from: 'approved', to: 'processing', now, dueAt });
    return {};
  });
}
