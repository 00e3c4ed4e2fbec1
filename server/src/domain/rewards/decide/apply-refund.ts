import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { TermsVersion } from '../../programs/program-book.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import { type AdjustmentInput, adjustReward } from './calculate-reward.ts';
import { voidReward } from './decide-void.ts';
import { isGrantedByProduct, type Moment } from './reward-decision.ts';
import { type FulfillmentStatus, type RewardTrigger, transition } from './states.ts';

/** State of a purchase after a refund, a dispute or a restoration. */
export interface PurchaseStanding {
  readonly amountMinor: bigint;
  /** Total refunded or disputed so far. */
  readonly refundedTotalMinor: bigint;
  /** The part of it that is disputed and may be restored. */
  readonly disputedTotalMinor: bigint;
}

export type RefundTerms = Pick<TermsVersion, 'refundPolicy' | 'roundingPolicy'>;

export interface RefundEffect {
  /** The same row if nothing changed. */
  readonly reward: RewardRow;
  /** Set if the net changed. */
  readonly adjustment: (AdjustmentInput & { readonly signedAmountMinor: bigint }) | null;
}

/** Applies a purchase's new state to one of its Rewards. */
export function applyRefund(
  reward: RewardRow,
  terms: RefundTerms,
  standing: PurchaseStanding,
  { now, newId }: Moment,
): RefundEffect {
  if (reward.amountMinor === null || reward.netAmountMinor === null) {
    return { reward: refundUnit(reward, terms, standing, { now, newId }), adjustment: null };
  }
  const input: AdjustmentInput = {
    purchaseAmountMinor: standing.amountMinor,
    refundedTotalMinor: standing.refundedTotalMinor,
    rewardAmountMinor: reward.amountMinor,
    previousNetMinor: reward.netAmountMinor,
    refundPolicy: terms.refundPolicy,
    roundingPolicy: terms.roundingPolicy,
  };
  const { newNetMinor, signedAmountMinor } = adjustReward(input);
  const lasting = leftForGood(reward.amountMinor, terms, standing);
  const isDisputed = newNetMinor === 0n && lasting > 0n;
  const hasMoved = signedAmountMinor !== 0n || isDisputed !== reward.isDisputed;
  const adjusted = hasMoved
    ? withDelivery({ ...reward, netAmountMinor: newNetMinor, isDisputed, updatedAt: now }, now)
    : reward;
  return {
    reward: lasting === 0n ? loseMoney(adjusted, now, newId) : restore(adjusted, now),
    adjustment: signedAmountMinor === 0n ? null : { ...input, signedAmountMinor },
  };
}

/** The net of a money Reward if every open dispute is won. */
function leftForGood(amount: bigint, terms: RefundTerms, standing: PurchaseStanding): bigint {
  const { newNetMinor } = adjustReward({
    purchaseAmountMinor: standing.amountMinor,
    refundedTotalMinor: standing.refundedTotalMinor - standing.disputedTotalMinor,
    rewardAmountMinor: amount,
    previousNetMinor: amount,
    refundPolicy: terms.refundPolicy,
    roundingPolicy: terms.roundingPolicy,
  });
  return newNetMinor;
}

/** Whether refunds alone leave nothing of a Reward. `amountMinor` is null for a discount or units. */
export function isRefundedAway(
  amountMinor: bigint | null,
  terms: RefundTerms,
  standing: PurchaseStanding,
): boolean {
  if (amountMinor !== null) return leftForGood(amountMinor, terms, standing) === 0n;
  if (terms.refundPolicy === 'none') return false;
  const refunded = standing.refundedTotalMinor - standing.disputedTotalMinor;
  return refunded > 0n && (terms.refundPolicy === 'full' || refunded >= standing.amountMinor);
}

/**
 * Nothing is left, finally: an ungranted Reward is cancelled, and credit that the product granted
 * must be revoked. Paid cash, and credit on a balance, is settled by lines.
 */
function loseMoney(reward: RewardRow, now: Instant, newId: NewId): RewardRow {
  if (reward.void !== null) return reward;
  if (reward.fulfillmentStatus === 'fulfilled') {
    const isAskedBack = reward.benefitKind === 'credit' && isGrantedByProduct(reward);
    return isAskedBack ? voidForRefund(reward, now, newId) : reward;
  }
  return move(reward, 'refund_all', now);
}

/** Like an operator's void, but a restoration lifts it. */
export function voidForRefund(reward: RewardRow, now: Instant, newId: NewId): RewardRow {
  return voidReward(reward, { reasonCode: 'refund', reason: null, isByRefund: true }, now, newId);
}

/** Undoes the effect of a refund: a cancellation, or a void by the system. Other voids stay. */
function restore(reward: RewardRow, now: Instant): RewardRow {
  if (reward.void === null) {
    return reward.fulfillmentStatus === 'cancelled' ? move(reward, 'restore', now) : reward;
  }
  if (reward.void.isByRefund !== true) return reward;
  // A Reward that was already revoked stays so.
  if (transition(reward.fulfillmentStatus, 'restore') === undefined) return reward;
  return move({ ...reward, void: null }, 'restore', now);
}

/** The same row if nothing changes. */
function move(reward: RewardRow, trigger: RewardTrigger, now: Instant): RewardRow {
  const fulfillmentStatus = transition(reward.fulfillmentStatus, trigger);
  if (fulfillmentStatus === undefined) return reward;
  if (trigger === 'refund_all' && fulfillmentStatus === reward.fulfillmentStatus) return reward;
  return withDelivery({ ...reward, fulfillmentStatus, updatedAt: now }, now);
}

/** Statuses in which a grant can still be prevented: a Reward in progress may become pending again. */
const UNGRANTED: readonly FulfillmentStatus[] = ['pending', 'in_progress', 'failed'];

/**
 * A discount or a number of units cannot be reduced. A full refund, or under `full` any refund,
 * voids it until it is restored; a dispute only puts an ungranted one on hold.
 */
function refundUnit(
  reward: RewardRow,
  terms: RefundTerms,
  standing: PurchaseStanding,
  { now, newId }: Moment,
): RewardRow {
  if (terms.refundPolicy === 'none') return reward;
  if (isRefundedAway(null, terms, standing)) {
    return reward.void === null ? voidForRefund(reward, now, newId) : reward;
  }
  const restored = restore(reward, now);
  if (restored.void !== null) return restored;
  const isDisputed = standing.disputedTotalMinor > 0n;
  const isHeld = restored !== reward || UNGRANTED.includes(reward.fulfillmentStatus);
  if (!isHeld || restored.isDisputed === isDisputed) return restored;
  return withDelivery({ ...restored, isDisputed, updatedAt: now }, now);
}
