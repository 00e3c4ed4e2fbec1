// What becomes of a reward after it was earned.

import { divide } from './arithmetic.ts';
import type { Role, Terms } from './facts.ts';
import { type Bought, leftOf } from './purchases.ts';

export interface ExpectedReward {
  readonly key: string;
  readonly rule: string;
  readonly beneficiary: string;
  readonly referee: string;
  readonly amountMinor: bigint | null;
  readonly currency: string;
  /** The rate of a discount, or the number of units. */
  readonly size: number | null;
  readonly terms: Terms;
  netMinor: bigint | null;
  status: string;
  /** What payouts have paid, and what they should have. */
  paidMinor: bigint;
  owedMinor: bigint;
}

export interface Made extends ExpectedReward {
  /** Null for a signup, and for a milestone, which is not of one purchase. */
  readonly purchase: Bought | null;
  readonly program: string;
  readonly role: Role;
  /** Who has done what it is for. */
  readonly human: string;
  readonly occurredAt: string;
  /** What a milestone had to reach. */
  readonly at: bigint | null;
  /** The service adds it to a balance and corrects it there, as often as it changes. */
  readonly isOnBalance: boolean;
  isVoided: boolean;
  isRefunded: boolean;
  /** A milestone whose measure has fallen. */
  isLost: boolean;
  isGranted: boolean;
  isRevoked: boolean;
}

/** Whether it counts for a cap, for "once" and for an earning period. An open dispute does not change it. */
export const stands = (one: Made): boolean => !one.isVoided && !one.isRefunded && !one.isLost;

export function statusOf(one: Made): string {
  const isCash = one.terms.benefitKind === 'cash';
  if (one.isRevoked) return 'revoked';
  if (one.isGranted && one.isOnBalance) return one.isVoided ? 'revocation_pending' : 'fulfilled';
  if (one.isGranted) return !stands(one) && !isCash ? 'revocation_pending' : 'fulfilled';
  return stands(one) ? 'pending' : 'cancelled';
}

/** What is left of a reward by the refunds and disputes of its purchase. */
export function settle(reward: Made): void {
  const { purchase, terms, amountMinor } = reward;
  if (!purchase) return;
  const { gone, disputed } = leftOf(purchase);
  if (amountMinor === null) {
    reward.isRefunded = isUnitGone(purchase, terms);
    return;
  }
  reward.netMinor = netOf(amountMinor, purchase, terms, gone + disputed);
  // A dispute only holds it.
  reward.isRefunded = netOf(amountMinor, purchase, terms, gone) === 0n;
}

/** Whether nothing would be left of it, so that it is not earned at all. */
export function isRefundedAway(
  amountMinor: bigint | null,
  purchase: Bought,
  terms: Terms,
): boolean {
  if (amountMinor === null) return isUnitGone(purchase, terms);
  return netOf(amountMinor, purchase, terms, leftOf(purchase).gone) === 0n;
}

function netOf(amountMinor: bigint, purchase: Bought, terms: Terms, refunded: bigint): bigint {
  const paid = purchase.amountMinor;
  if (terms.refundPolicy === 'none') return amountMinor;
  if (terms.refundPolicy === 'full') return refunded > 0n ? 0n : amountMinor;
  return divide(amountMinor * (paid - refunded), paid, terms.roundingPolicy);
}

/** A discount or a number of units cannot be reduced. */
function isUnitGone(purchase: Bought, terms: Terms): boolean {
  const { gone } = leftOf(purchase);
  if (terms.refundPolicy === 'none') return false;
  return gone > 0n && (terms.refundPolicy === 'full' || gone >= purchase.amountMinor);
}
