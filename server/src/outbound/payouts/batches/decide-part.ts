import { type PayoutStatus, type PayoutTrigger, transition } from '../states.ts';
import type { PayoutRow } from '../transfers/payout.ts';

const TRIGGERS: Partial<Record<PayoutStatus, PayoutTrigger>> = {
  paid: 'pay',
  failed: 'fail',
  returned: 'return',
  cancelled: 'cancel',
};

/**
 * The next transition that brings a project's part to the status of its payout; null if there is
 * none. A payout that was paid and then returned is first paid in every project, so that each
 * reports both.
 */
export function nextTrigger(
  part: PayoutStatus,
  payout: Pick<PayoutRow, 'status' | 'paidAt'>,
): PayoutTrigger | null {
  const isPaidFirst = payout.status === 'returned' && payout.paidAt !== null && part !== 'paid';
  const trigger = isPaidFirst ? 'pay' : TRIGGERS[payout.status];
  return trigger && transition(part, trigger) ? trigger : null;
}
