import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import { transition } from '../states.ts';
import { applyToBatch } from '../transfers/apply-outcomes.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { listPayoutsOfBatch, updateStandings, updateSums } from '../transfers/payout-store.ts';
import { beginMove, finishMove, loadBatch } from './move-batch.ts';
import { sumParts } from './sum-parts.ts';

/**
 * Cancels a batch before it is submitted; its reserved rewards wait for the next batch. Throws
 * NOT_FOUND, or CONFLICT `invalid_transition`.
 */
export async function cancelBatch(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  batchId: string,
): Promise<BatchRow> {
  await beginMove(deps, project, request, { batchId, trigger: 'cancel' });
  await continueCancellation(deps, await loadBatch(deps, project, batchId));
  return loadBatch(deps, project, batchId);
}

export async function continueCancellation(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  if (batch.status !== 'cancelling') return;
  const batchId = batch.id;
  const { database } = deps;
  const now = realNow(deps);
  // A batch that was still being drafted does not have its projects yet.
  const sums = await sumParts(database.reads, batch);
  await database.transaction(async (tx) => {
    const payouts = await listPayoutsOfBatch(tx, batchId);
    updateSums(tx, [...sums.values()], now);
    const open = payouts.filter(({ status }) => transition(status, 'cancel'));
    const cancelled = open.map((payout) => ({ ...payout, status: 'cancelled' as const }));
    updateStandings(tx, cancelled, now);
  });
  await applyToBatch(deps, batchId);
  await finishMove(deps, { batchId, from: 'cancelling', now }, async () => ({}));
}
