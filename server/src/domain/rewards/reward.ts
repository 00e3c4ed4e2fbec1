import type { Instant } from '../../platform/kit/instant.ts';
import type { BenefitKind, DurationMode } from '../programs/rules/benefit-words.ts';
import type { RewardTerms } from '../programs/schema.ts';
import type { AdjustmentInput, Arithmetic } from './decide/calculate-reward.ts';
import {
  type DeliveryMethod,
  type DeliveryReason,
  type DeliveryStatus,
  deliveryOf,
  type FulfillmentStatus,
} from './decide/states.ts';

export const RECORD_ACTORS = ['console', 'api', 'webhook', 'service'] as const;

/** Who granted or revoked a Reward, and when. */
export interface RewardRecord {
  readonly id: string;
  readonly externalReference: string;
  readonly occurredAt: Instant;
  readonly actor: (typeof RECORD_ACTORS)[number];
}

export const VOID_CODES = [
  'fraud',
  'self_referral',
  'duplicate',
  'refund',
  'chargeback',
  'terms_violation',
  'error',
  'participant_deleted',
  'milestone_lost',
  'other',
] as const;

/** Codes that a caller may give: the others are reserved for the service. */
export const CALLER_VOID_CODES = VOID_CODES.filter(
  (code) => code !== 'participant_deleted' && code !== 'milestone_lost',
);

export interface RewardVoid {
  readonly id: string;
  readonly reasonCode: (typeof VOID_CODES)[number];
  readonly reason: string | null;
  readonly voidedAt: Instant;
  /** Set on a void that the system made for a refund: a restoration lifts it. Not shown. */
  readonly isByRefund?: true;
}

/**
 * A Reward as stored. Terms, method and hold are fixed when it is earned. Exactly one group is set,
 * by `benefitKind`: the money fields, `rateBps` with the duration, or `quantity` with the unit.
 */
export interface RewardRow {
  readonly id: string;
  readonly projectId: string;
  readonly number: number;
  readonly programId: string;
  readonly ruleId: string;
  readonly termsVersionId: string;
  readonly eventId: string;
  /** Null in a loyalty Program. */
  readonly referralId: string | null;
  /** Null if the Event had no amount. */
  readonly purchaseId: string | null;
  /** The person behind the signup that earned it; null for any other Event. */
  readonly signupPersonId: string | null;
  /** What its milestone is of (`milestoneKey`); null for other calculations. */
  readonly milestone: string | null;
  readonly beneficiaryRole: RewardTerms['beneficiaryRole'];
  readonly beneficiaryParticipantId: string;
  readonly benefitKind: BenefitKind;
  readonly amountMinor: bigint | null;
  readonly netAmountMinor: bigint | null;
  readonly currency: string | null;
  readonly currencyExponent: number | null;
  readonly rateBps: number | null;
  readonly durationMode: DurationMode | null;
  readonly durationMonths: number | null;
  readonly quantity: number | null;
  readonly unitId: string | null;
  readonly validityDays: number | null;
  readonly plan: string | null;
  readonly periods: number | null;
  readonly method: DeliveryMethod;
  readonly earnedAt: Instant;
  readonly availableAt: Instant;
  readonly fulfillmentStatus: FulfillmentStatus;
  /** As of the last write; `withDelivery` updates both to a given time. */
  readonly deliveryStatus: DeliveryStatus;
  readonly deliveryReason: DeliveryReason | null;
  readonly providerReference: string | null;
  /**
   * Whether an open dispute keeps it from being granted. For money: whether the dispute, and no
   * refund, is why nothing is left.
   */
  readonly isDisputed: boolean;
  /** Whether the review of its referral is not decided yet: until then it is not granted. */
  readonly isUnderReview: boolean;
  /** The event to which a receiver responded, during the review, that it granted the Reward. */
  readonly answeredEventId: string | null;
  /** Sum of its settled lines, in payouts or on a balance; else 0. */
  readonly paidMinor: bigint;
  /** The open payout that has a line for it. */
  readonly payoutId: string | null;
  readonly fulfillment: RewardRecord | null;
  readonly revocation: RewardRecord | null;
  readonly void: RewardVoid | null;
  readonly arithmetic: Arithmetic;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The effect of a refund, a dispute or a restoration on the net of one Reward. */
export interface RewardAdjustmentRow {
  readonly id: string;
  readonly number: number;
  readonly projectId: string;
  readonly purchaseAdjustmentId: string;
  readonly rewardId: string;
  readonly beneficiaryParticipantId: string;
  readonly purchaseId: string;
  readonly currency: string;
  readonly signedAmountMinor: bigint;
  /** The inputs of the calculation, so that it can be repeated. */
  readonly snapshot: AdjustmentInput & { readonly newNetMinor: bigint };
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * Must be called before a Reward is shown, and after a change of anything that its delivery depends
 * on. A failed correction no longer matters if there is nothing left to correct.
 */
export function withDelivery(row: RewardRow, now: Instant): RewardRow {
  const { status, reason } = deliveryOf(row, now);
  const isEven = row.fulfillmentStatus === 'fulfilled' && amountDueOf(row) === 0n;
  return { ...row, deliveryStatus: status, deliveryReason: isEven ? null : reason };
}

/** Sets what a payout waits for, given whether its beneficiary can be paid. The outcome of a previous payout stays. */
export function withPayoutReason(row: RewardRow, isPayable: boolean): RewardRow {
  const { deliveryReason } = row;
  if (deliveryReason === 'payout_failed' || deliveryReason === 'payout_returned') return row;
  if (!isPayable) return { ...row, deliveryReason: 'awaiting_payout_details' };
  return deliveryReason === 'awaiting_payout_details'
    ? { ...row, deliveryReason: 'awaiting_payout' }
    : row;
}

/** The fields of a Reward that decide how much is still to be paid or credited. */
export interface Payable {
  readonly void: object | null;
  readonly netAmountMinor: bigint | null;
  /** Sum of its settled lines. */
  readonly paidMinor: bigint;
}

/** The total that the beneficiary should have received so far. */
export function targetOf(reward: Pick<Payable, 'void' | 'netAmountMinor'>): bigint {
  return reward.void === null ? (reward.netAmountMinor ?? 0n) : 0n;
}

/**
 * The next line of a Reward, in a payout or on a balance: what is owed less what was paid. Negative
 * if more was paid than is owed. Payouts find Rewards with an amount due by the column
 * `payout_due_minor`, which has the same value.
 */
export function amountDueOf(reward: Payable): bigint {
  return targetOf(reward) - reward.paidMinor;
}

/**
 * Whether a Reward counts as given: for a cap, for "once" and for an earning period. A voided or
 * fully refunded one does not; an open dispute does not change it.
 */
export function countsAsGiven({
  void: voided,
  netAmountMinor,
  isDisputed,
}: Pick<RewardRow, 'netAmountMinor' | 'isDisputed'> & { readonly void: object | null }): boolean {
  return voided === null && (netAmountMinor === null || netAmountMinor > 0n || isDisputed);
}

/** The same condition for a row `r`. */
export const COUNTS_AS_GIVEN = `r.void is null
  and (r.net_amount_minor is null or r.net_amount_minor > 0 or r.is_disputed)`;

/** A signup's rules have no earning period. As in the index `rewards_in_period`. */
export const COUNTS_IN_PERIOD = `r.signup_person_id is null and ${COUNTS_AS_GIVEN}`;
