import { addMs } from '../../../platform/kit/instant.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { continueApproval } from './approve-batch.ts';
import { listStuckBatches } from './batch-store.ts';
import { continueCancellation } from './cancel-batch.ts';
import { reserveBatch } from './reserve-batch.ts';
import { continueSubmission } from './submit-batch.ts';

/** A move may take longer without being interrupted, but resuming it does no harm. */
const STUCK_MS = 60_000;
const BATCHES_MAX = 20;

/** Resumes moves that a process did not complete; returns how many batches it completed. */
export async function resumeBatches(
  deps: PayoutDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const before = addMs(realNow(deps), -STUCK_MS);
  const stuck = await listStuckBatches(deps.database.reads, before, BATCHES_MAX);
  let resumed = 0;
  for (const batch of stuck) {
    // A batch that cannot be resumed must not block the others.
    await resume(deps, batch).then(() => {
      resumed += 1;
    }, onFailure);
  }
  return resumed;
}

async function resume(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  if (batch.status === 'reserving') return reserveBatch(deps, batch.id);
  await continueApproval(deps, batch);
  await continueSubmission(deps, batch);
  await continueCancellation(deps, batch);
}
