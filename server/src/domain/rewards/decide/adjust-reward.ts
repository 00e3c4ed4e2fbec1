import { smallerOf } from '../../../platform/kit/money.ts';
import type { RefundPolicy, RoundingPolicy } from '../../programs/rules/benefit-words.ts';
import { divideRounded } from './divide-rounded.ts';

export interface AdjustmentInput {
  /** The purchase's amount, and how much of it is refunded or disputed so far. */
  readonly purchaseAmountMinor: bigint;
  readonly refundedTotalMinor: bigint;
  readonly rewardAmountMinor: bigint;
  readonly previousNetMinor: bigint;
  readonly refundPolicy: RefundPolicy;
  readonly roundingPolicy: RoundingPolicy;
}

export interface Adjustment {
  readonly signedAmountMinor: bigint;
  readonly newNetMinor: bigint;
}

/**
 * The net of a money Reward after a refund, computed from the totals and not from the last step:
 * any sequence that leads to the same refunded total gives the same net, a full refund gives zero,
 * and undoing it gives the exact amount.
 */
export function adjustReward(input: AdjustmentInput): Adjustment {
  const newNetMinor = targetOf(input);
  return { newNetMinor, signedAmountMinor: newNetMinor - input.previousNetMinor };
}

function targetOf(input: AdjustmentInput): bigint {
  const { purchaseAmountMinor, rewardAmountMinor } = input;
  const refunded = smallerOf(input.refundedTotalMinor, purchaseAmountMinor);
  switch (input.refundPolicy) {
    case 'none':
      return rewardAmountMinor;
    case 'full':
      return refunded > 0n ? 0n : rewardAmountMinor;
    case 'proportional':
      if (purchaseAmountMinor === 0n) return rewardAmountMinor;
      return divideRounded(
        rewardAmountMinor * (purchaseAmountMinor - refunded),
        purchaseAmountMinor,
        input.roundingPolicy,
      );
  }
}
