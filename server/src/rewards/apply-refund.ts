import type { NewId } from '../kit/ids.ts';
import type { Instant } from '../kit/instant.ts';
import type { TermsVersion } from '../programs/program-book.ts';
import { type AdjustmentInput, adjustReward } from './adjust-reward.ts';
import { type RewardRow, withDelivery } from './reward.ts';
import { type FulfillmentStatus, type RewardTrigger, transition } from './states.ts';
import { voidReward } from './void-reward.ts';

/** How a purchase stands after a refund, a dispute or a restoration. */
export interface PurchaseStanding {
  readonly amountMinor: bigint;
  /** All that is refunded or disputed by now. */
  readonly refundedTotalMinor: bigint;
  /** The part of it that is disputed and may come back. */
  readonly disputedTotalMinor: bigint;
}

export type RefundTerms = Pick<TermsVersion, 'refundPolicy' | 'roundingPolicy'>;

export interface RefundEffect {
  /** As it was, if nothing changed. */
  readonly reward: RewardRow;
  /** Set when the net moved. */
  readonly adjustment: (AdjustmentInput & { readonly signedAmountMinor: bigint }) | null;
}

/** What becomes of one Reward of a purchase whose standing has changed. */
export function applyRefund(
  reward: RewardRow,
  terms: RefundTerms,
  standing: PurchaseStanding,
  now: Instant,
  newId: NewId,
): RefundEffect {
  if (reward.amountMinor === null || reward.netAmountMinor === null) {
    return { reward: refundUnit(reward, terms, standing, now, newId), adjustment: null };
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
  if (signedAmountMinor === 0n) return { reward, adjustment: null };
  return {
    reward: refundMoney(reward, newNetMinor, now),
    adjustment: { ...input, signedAmountMinor },
  };
}

function refundMoney(reward: RewardRow, net: bigint, now: Instant): RewardRow {
  const adjusted: RewardRow = {
    ...reward,
    netAmountMinor: net,
    fulfillmentStatus: statusAfter(reward, net),
    updatedAt: now,
  };
  return withDelivery(adjusted, now);
}

/** Nothing left to give cancels what was not given; what was voided stays where the void put it. */
function statusAfter(reward: RewardRow, net: bigint): RewardRow['fulfillmentStatus'] {
  const { fulfillmentStatus: status } = reward;
  if (reward.void !== null) return status;
  let trigger: RewardTrigger | null = null;
  if (net === 0n) trigger = 'refund_all';
  else if (status === 'cancelled') trigger = 'restore';
  return (trigger && transition(status, trigger)) ?? status;
}

/** What can still be kept from being granted: what is on its way may come to wait again. */
const UNGRANTED: readonly FulfillmentStatus[] = ['pending', 'in_progress', 'failed'];

/**
 * A discount or a number of units cannot shrink. A full refund, or under `full` any, voids
 * it for good; a dispute only holds what was not granted yet.
 */
function refundUnit(
  reward: RewardRow,
  { refundPolicy }: RefundTerms,
  standing: PurchaseStanding,
  now: Instant,
  newId: NewId,
): RewardRow {
  if (refundPolicy === 'none' || reward.void !== null) return reward;
  const refunded = standing.refundedTotalMinor - standing.disputedTotalMinor;
  if (refunded > 0n && (refundPolicy === 'full' || refunded >= standing.amountMinor)) {
    return voidReward(reward, { reasonCode: 'refund', reason: null }, now, newId);
  }
  const isDisputed = standing.disputedTotalMinor > 0n;
  if (!UNGRANTED.includes(reward.fulfillmentStatus) || reward.isDisputed === isDisputed) {
    return reward;
  }
  return withDelivery({ ...reward, isDisputed, updatedAt: now }, now);
}
