import type { FoundTransfer } from '../provider.ts';
import type { PayoutRow } from '../transfers/payout.ts';

/**
 * What a transfer of a provider's list is to the books:
 *
 * - `ignored`: it moved no money that stayed with the payee, or is of another Workspace.
 * - `known`: the books have it.
 * - `advanced`: the books have its order, in an earlier state: they learn that it was sent.
 * - `adopted`: the books do not have it: the payee was paid in advance.
 */
export type TransferVerdict = 'ignored' | 'known' | 'advanced' | 'adopted';

/** The payout that ordered a transfer, and with which attempt. */
export interface OrderedBy {
  readonly payout: Pick<PayoutRow, 'status' | 'isSent' | 'attempt' | 'providerReference'>;
  readonly attempt: number;
}

export function judgeTransfer(
  { state }: Pick<FoundTransfer, 'state'>,
  by: OrderedBy | null,
): TransferVerdict {
  const isKept = state === 'processing' || state === 'paid';
  if (!by) return isKept ? 'adopted' : 'ignored';
  const { payout, attempt } = by;
  switch (payout.status) {
    case 'processing':
      // Whatever its state is: the next lookup reads it instead of ordering again.
      if (attempt !== payout.attempt) return attempt > payout.attempt ? 'advanced' : 'known';
      return payout.isSent && payout.providerReference !== null ? 'known' : 'advanced';
    case 'paid':
    case 'returned':
      return 'known';
    default:
      // Its rewards are unpaid here: they were released, or will be.
      return isKept ? 'adopted' : 'ignored';
  }
}
