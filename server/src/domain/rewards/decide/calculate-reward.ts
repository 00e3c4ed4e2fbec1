import { smallerOf } from '../../../platform/kit/money.ts';
import type { RefundPolicy, RoundingPolicy } from '../../programs/rules/benefit-words.ts';
import type { Terms } from '../../programs/rules/decide-terms.ts';
import {
  type Measured,
  type PinnedMilestone,
  type PinnedStep,
  withStep,
} from './measured-benefit.ts';

/** The part of a purchase that Rewards are computed from: paid, after discounts, without tax. */
export interface RewardBase {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
}

export type MoneyBenefit = RewardBase;

/** How an amount was computed, stored so that it can be shown and recomputed. */
export interface Arithmetic {
  readonly base: string | null;
  readonly rateBps: number | null;
  readonly rounding: string | null;
  readonly result: string;
  /** Set if a step decided the size. */
  readonly tier?: PinnedStep;
  /** Set if it was earned by a milestone. */
  readonly milestone?: PinnedMilestone;
}

export type Calculated =
  | { readonly money: MoneyBenefit | null; readonly arithmetic: Arithmetic }
  | { readonly skipped: 'zero_amount' | 'amount_missing' };

const BPS = 10_000n;

/** What terms give for an Event: in steps, by their measure with the Event. */
export function calculateStep<T extends Terms>(
  terms: T,
  base: RewardBase | null,
  measured: Measured,
) {
  const { terms: sized, step } = withStep(terms, measured);
  const calculated = calculateReward(sized, base);
  if ('skipped' in calculated || !step) return { calculated, terms: sized };
  const arithmetic: Arithmetic = { ...calculated.arithmetic, tier: step };
  return { calculated: { ...calculated, arithmetic }, terms: sized };
}

/** What terms give for an Event. `base` is null for an Event without an amount. */
export function calculateReward(terms: Terms, base: RewardBase | null): Calculated {
  // A free purchase gives nothing, whatever the kind of benefit.
  if (base !== null && base.amountMinor === 0n) return { skipped: 'zero_amount' };
  if (terms.benefitKind === 'discount') {
    return { money: null, arithmetic: plain(terms, `${terms.rateBps} bps`) };
  }
  if (terms.benefitKind === 'custom') {
    return { money: null, arithmetic: plain(terms, String(terms.quantity)) };
  }
  if (terms.calculation !== 'percentage') {
    const amountMinor = terms.fixedAmountMinor as bigint;
    const money = {
      amountMinor,
      currency: terms.currency as string,
      currencyExponent: terms.currencyExponent as number,
    };
    return { money, arithmetic: plain(terms, String(amountMinor)) };
  }
  if (base === null) return { skipped: 'amount_missing' };
  const amountMinor = divideRounded(
    base.amountMinor * BigInt(terms.rateBps as number),
    BPS,
    terms.roundingPolicy,
  );
  if (amountMinor === 0n) return { skipped: 'zero_amount' };
  return {
    money: { amountMinor, currency: base.currency, currencyExponent: base.currencyExponent },
    arithmetic: {
      base: String(base.amountMinor),
      rateBps: terms.rateBps,
      rounding: terms.roundingPolicy,
      result: String(amountMinor),
    },
  };
}

function plain(terms: Terms, result: string): Arithmetic {
  return { base: null, rateBps: terms.rateBps, rounding: null, result };
}

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

/** `numerator / denominator`, rounded once. The numerator must be at least 0, the denominator above 0. */
export function divideRounded(
  numerator: bigint,
  denominator: bigint,
  policy: RoundingPolicy,
): bigint {
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  return roundsUp(quotient, rest, denominator, policy) ? quotient + 1n : quotient;
}

function roundsUp(
  quotient: bigint,
  rest: bigint,
  denominator: bigint,
  policy: RoundingPolicy,
): boolean {
  if (rest === 0n) return false;
  const twice = 2n * rest;
  switch (policy) {
    case 'down':
      return false;
    case 'up':
      return true;
    case 'half_up':
      return twice >= denominator;
    case 'half_even':
      return twice > denominator || (twice === denominator && quotient % 2n === 1n);
  }
}
