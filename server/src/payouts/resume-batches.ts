import { addMs } from '../kit/instant.ts';
import { continueApproval } from './approve-batch.ts';
import { listStuckBatches } from './batch-store.ts';
import { continueCancellation } from './cancel-batch.ts';
import type { BatchRow } from './payout.ts';
import { type PayoutDeps, realNow } from './payout-deps.ts';
import { reserveBatch } from './reserve-batch.ts';
import { continueSubmission } from './submit-batch.ts';

/** A move that takes longer is not cut off yet, but going on with it does no harm. */
const STUCK_MS = 60_000;
const BATCHES_MAX = 20;

/** Goes on with what a process left half done when it ended; returns how many batches. */
export async function resumeBatches(deps: PayoutDeps): Promise<number> {
  const before = addMs(realNow(deps), -STUCK_MS);
  const stuck = await listStuckBatches(deps.database.reads, before, BATCHES_MAX);
  for (const batch of stuck) await resume(deps, batch);
  return stuck.length;
}

async function resume(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  if (batch.status === 'reserving') return reserveBatch(deps, batch.id);
  await continueApproval(deps, batch);
  await continueSubmission(deps, batch);
  await continueCancellation(deps, batch);
}
