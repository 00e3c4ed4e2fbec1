import type { PayoutDeps } from '../payout-deps.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { continueApproval } from './approve-batch.ts';
import { continueCancellation } from './cancel-batch.ts';
import { reserveBatch } from './reserve-batch.ts';
import { continueSubmission } from './submit-batch.ts';

/** Completes the move that a batch is in; does nothing if it is in none. */
export async function resumeBatch(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  if (batch.status === 'reserving') return reserveBatch(deps, batch.id);
  await continueApproval(deps, batch);
  await continueSubmission(deps, batch);
  await continueCancellation(deps, batch);
}
