import { type AppError, conflict } from '../kit/errors.ts';
import { smallerOf } from '../kit/money.ts';
import type { AdjustmentKind } from './adjustment-schema.ts';

/** What is known of a purchase when something of it is given back. */
export interface Balance {
  readonly amountMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

/** The refund or dispute that a restoration undoes, or part of it. */
export interface Undone {
  readonly kind: AdjustmentKind;
  readonly amountMinor: bigint;
  readonly appliedMinor: bigint;
  readonly restoredMinor: bigint;
}

export interface AdjustmentDecision {
  /** What it takes from the purchase, or gives back. */
  readonly appliedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

/** How the purchase stands afterwards. `undone` belongs to a restoration. */
export function decideAdjustment(
  balance: Balance,
  kind: AdjustmentKind,
  amountMinor: bigint,
  undone: Undone | null,
): AdjustmentDecision | { readonly refused: AppError } {
  const leftMinor = balance.amountMinor - balance.refundedMinor;
  if (undone) return restore(balance, amountMinor, undone);
  if (kind === 'refund' && amountMinor > leftMinor) {
    return {
      refused: conflict(
        'adjustment_exceeds_purchase',
        `Of this purchase ${leftMinor} is left to refund.`,
      ),
    };
  }
  // A bank disputes the whole charge, also what was refunded before.
  const appliedMinor = smallerOf(amountMinor, leftMinor);
  return {
    appliedMinor,
    refundedMinor: balance.refundedMinor + appliedMinor,
    disputedMinor: balance.disputedMinor + (kind === 'dispute' ? appliedMinor : 0n),
  };
}

/** A dispute of more than was left took only that: what it took comes back first. */
function restore(
  balance: Balance,
  amountMinor: bigint,
  undone: Undone,
): AdjustmentDecision | { readonly refused: AppError } {
  const openMinor = undone.amountMinor - undone.restoredMinor;
  if (amountMinor > openMinor) {
    return {
      refused: conflict(
        'adjustment_exceeds_purchase',
        `Of what this restores ${openMinor} is left to restore.`,
      ),
    };
  }
  const givenBackMinor = smallerOf(undone.restoredMinor, undone.appliedMinor);
  const appliedMinor = smallerOf(amountMinor, undone.appliedMinor - givenBackMinor);
  return {
    appliedMinor,
    refundedMinor: balance.refundedMinor - appliedMinor,
    disputedMinor: balance.disputedMinor - (undone.kind === 'dispute' ? appliedMinor : 0n),
  };
}
