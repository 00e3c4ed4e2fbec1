import { toInstant } from '../../../platform/kit/instant.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import type { TransferHint } from './payout.ts';
import { updateHinted } from './payout-store.ts';

/**
 * Records a provider's hint of news about a transfer, so that the provider is asked soon. The hint
 * itself changes no outcome, so it may arrive twice, late and in any order.
 */
export async function hintTransfer(
  deps: Pick<PayoutDeps, 'database' | 'clock'>,
  hint: TransferHint,
): Promise<boolean> {
  if (hint.payoutId === null && hint.reference === null) return false;
  const hinted = await deps.database.transaction((tx) =>
    updateHinted(tx, hint, toInstant(deps.clock.nowMs())),
  );
  return hinted > 0;
}
