import { type AppError, conflict, notFound } from '../../../platform/kit/errors.ts';
import { type AdjustmentStep, restoredOf, standingOf } from './purchase-standing.ts';

export interface AdjustmentDecision {
  /**
   * The amount taken from the purchase, or given back by a restoration. Negative only if disputes
   * overlap and one is reported late, which may change what the others hold.
   */
  readonly appliedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

/** The state of a purchase with `next` added to its adjustments, or why that is refused. */
export function decideAdjustment(
  amountMinor: bigint,
  past: readonly AdjustmentStep[],
  next: AdjustmentStep,
): AdjustmentDecision | { readonly refused: AppError } {
  const refused = refuseTarget(past, next);
  if (refused) return { refused };
  const before = standingOf(amountMinor, past);
  const after = standingOf(amountMinor, [...past, next], next.id);
  if (next.kind === 'refund') {
    const exceedsMinor = after.refundsMinor + after.lostBeforeMinor - amountMinor;
    if (exceedsMinor > 0n) {
      const leftMinor = (next.amountMinor ?? 0n) - exceedsMinor;
      return refuse(
        `Only ${leftMinor > 0n ? leftMinor : 0n} of this purchase can still be refunded.`,
      );
    }
  }
  const { refundedMinor, disputedMinor } = after;
  const takenMinor = refundedMinor - before.refundedMinor;
  const appliedMinor = next.kind === 'restoration' ? -takenMinor : takenMinor;
  return { appliedMinor, refundedMinor, disputedMinor };
}

/** The adjustment that a restoration undoes, or a loss ends, must exist and still be open. */
function refuseTarget(past: readonly AdjustmentStep[], next: AdjustmentStep): AppError | undefined {
  const targetId = next.restoresId ?? next.closesId;
  if (targetId === null) return undefined;
  const target = past.find(({ id }) => id === targetId);
  const isRestoration = next.kind === 'restoration';
  const fits = target?.kind === 'dispute' || (isRestoration && target?.kind === 'refund');
  if (!target || !fits) {
    const what = isRestoration ? 'refund or dispute of this purchase to restore' : 'dispute';
    return notFound(what, 'adjustment_unknown');
  }
  if (past.some(({ closesId }) => closesId === targetId)) {
    return conflict('dispute_closed', 'This dispute was already lost. Its amount is final.');
  }
  const openMinor = (target.amountMinor ?? 0n) - (restoredOf(past).get(targetId) ?? 0n);
  if (!isRestoration && openMinor === 0n) {
    return conflict('dispute_closed', 'This dispute was already won. All of it was restored.');
  }
  if (isRestoration && (next.amountMinor ?? 0n) > openMinor) {
    return refuse(`Only ${openMinor} of this refund or dispute can still be restored.`).refused;
  }
  return undefined;
}

function refuse(message: string): { readonly refused: AppError } {
  return { refused: conflict('adjustment_exceeds_purchase', message) };
}
