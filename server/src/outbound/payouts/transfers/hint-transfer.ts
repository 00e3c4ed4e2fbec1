import { type PayoutDeps, realNow } from '../payout-deps.ts';
import { type TransferHint, updateHinted } from './payout-store.ts';

export type { TransferHint };

/**
 * Takes a provider's word that there is news of a transfer: it is asked what, soon. By the word
 * itself nothing is paid, fails or returns, so it may come twice, late, and in any order.
 */
export async function hintTransfer(
  deps: Pick<PayoutDeps, 'database' | 'clock'>,
  hint: TransferHint,
): Promise<boolean> {
  if (hint.payoutId === null && hint.reference === null) return false;
  const hinted = await deps.database.transaction((tx) => updateHinted(tx, hint, realNow(deps)));
  return hinted > 0;
}
