import { listPayees } from '../batches/part-store.ts';
import { type PayoutDeps, slicesOf } from '../payout-deps.ts';
import type { BatchRow, PayoutRow } from '../transfers/payout.ts';
import { isPayable, type PayeeDetails } from './payee-details.ts';

/** Where each of these payouts of a batch can go now; those that can go nowhere are left out. */
export async function findUsableDetails(
  deps: Pick<PayoutDeps, 'database' | 'findDetails'>,
  batch: BatchRow,
  payouts: readonly PayoutRow[],
): Promise<Map<string, PayeeDetails>> {
  const usable = new Map<string, PayeeDetails>();
  for (const projectId of batch.projectIds) {
    const mine = payouts.filter(({ projectIds }) => projectIds.includes(projectId));
    for (const slice of slicesOf(mine.map(({ id }) => id))) {
      const payees = await listPayees(deps.database.reads, projectId, slice);
      const found = await deps.findDetails(projectId, [
        ...new Set(payees.map(({ participantId }) => participantId)),
      ]);
      for (const { payoutId, participantId } of payees) {
        const details = found.get(participantId);
        if (details && isPayable(batch.method, details)) usable.set(payoutId, details);
      }
    }
  }
  return usable;
}
