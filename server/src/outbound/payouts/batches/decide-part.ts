import { type PayoutStatus, type PayoutTrigger, transition } from '../states.ts';
import type { PayoutRow } from '../transfers/payout.ts';

const TRIGGERS: Partial<Record<PayoutStatus, PayoutTrigger>> = {
  paid: 'pay',
  failed: 'fail',
  returned: 'return',
  cancelled: 'cancel',
};

/**
 * What a Project's part still has to go through to stand as its payout does; null for nothing. A
 * payout that was paid before it came back is first paid in every Project, too: each tells both.
 */
export function nextTrigger(
  part: PayoutStatus,
  payout: Pick<PayoutRow, 'status' | 'paidAt'>,
): PayoutTrigger | null {
  const isPaidFirst = payout.status === 'returned' && payout.paidAt !== null && part !== 'paid';
  const trigger = isPaidFirst ? 'pay' : TRIGGERS[payout.status];
  return trigger && transition(part, trigger) ? trigger : null;
}
