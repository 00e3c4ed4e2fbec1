import type { Instant } from '../../../platform/kit/instant.ts';

export const FULFILLMENT_STATUSES = [
  'pending',
  'in_progress',
  'fulfilled',
  'failed',
  'cancelled',
  'revocation_pending',
  'revoked',
] as const;
export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number];

/** What can happen to a Reward. Paid money is never revoked, hence the `_cash` ones. */
export const REWARD_TRIGGERS = [
  /** The product, the console or a webhook's response reported the grant. */
  'record_grant',
  /** The same, but the Reward was voided before the report arrived: it must be revoked. */
  'record_late_grant',
  /** The same for cash, which is not revoked. */
  'record_late_kept_grant',
  /** The service sent it, or submitted the payout it is in. */
  'submit',
  /** The provider confirmed, or the payout was paid. */
  'confirm',
  /** Confirmed, but it was voided meanwhile. */
  'confirm_voided',
  /** The payout failed or was cancelled before payment. */
  'release',
  /** Not sent, and nothing is owed any more: it was voided or refunded meanwhile. */
  'release_unowed',
  /** The provider refused, or the last attempt failed. */
  'refuse',
  'retry',
  'void',
  'void_cash',
  /** Refunds left nothing of it. */
  'refund_all',
  /** A restoration undid the refund that had cancelled it, or for which the system had voided it. */
  'restore',
  /**
   * The payout was returned: part of it stays paid, it is owed again, or nothing is owed. Owed
   * again also applies if the service revoked it while a restoration arrived.
   */
  'return_part',
  'return_owed',
  'return_unowed',
  /** The product reported that it revoked the Reward, or the service did so itself. */
  'record_revocation',
] as const;
export type RewardTrigger = (typeof REWARD_TRIGGERS)[number];

/** from → trigger → to. No other transition is possible. */
const TRANSITIONS: Readonly<
  Record<FulfillmentStatus, Readonly<Partial<Record<RewardTrigger, FulfillmentStatus>>>>
> = {
  pending: {
    record_grant: 'fulfilled',
    submit: 'in_progress',
    void: 'cancelled',
    void_cash: 'cancelled',
    refund_all: 'cancelled',
  },
  in_progress: {
    confirm: 'fulfilled',
    confirm_voided: 'revocation_pending',
    release: 'pending',
    release_unowed: 'cancelled',
    refuse: 'failed',
    // It may already have been sent: the outcome decides.
    void: 'in_progress',
    void_cash: 'in_progress',
    refund_all: 'in_progress',
    restore: 'in_progress',
  },
  failed: {
    retry: 'pending',
    void: 'cancelled',
    void_cash: 'cancelled',
    refund_all: 'cancelled',
  },
  fulfilled: {
    void: 'revocation_pending',
    void_cash: 'fulfilled',
    return_part: 'fulfilled',
    return_owed: 'pending',
    return_unowed: 'cancelled',
  },
  cancelled: {
    restore: 'pending',
    record_late_grant: 'revocation_pending',
    record_late_kept_grant: 'fulfilled',
  },
  revocation_pending: { record_revocation: 'revoked', restore: 'fulfilled' },
  revoked: {},
};

/** Undefined if the trigger is not possible in this status. */
export function transition(
  status: FulfillmentStatus,
  trigger: RewardTrigger,
): FulfillmentStatus | undefined {
  return TRANSITIONS[status][trigger];
}

export const DELIVERY_METHODS = [
  'operator',
  'manual',
  'payout',
  'stripe_balance',
  'stripe_coupon',
] as const;
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number];

export const DELIVERY_STATUSES = [
  'on_hold',
  'pending',
  'processing',
  'delivered',
  'failed',
  'cancelled',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_REASONS = [
  'risk_review',
  'hold_period',
  'dispute_open',
  'awaiting_operator',
  'awaiting_manual',
  'awaiting_payout_details',
  'awaiting_payout',
  'below_minimum',
  'above_maximum',
  'awaiting_billing_account',
  'provider_pending',
  'provider_error',
  'provider_rejected',
  'payout_failed',
  'payout_returned',
  'voided',
  'refunded',
] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

interface Waiting {
  readonly reason: DeliveryReason;
  /** More specific reasons, known only to the code that tried to deliver; kept once reported. */
  readonly specificReasons: readonly DeliveryReason[];
}

const byStripe: Waiting = {
  reason: 'provider_pending',
  specificReasons: ['awaiting_billing_account', 'provider_error'],
};
/** What a Reward waits for once its hold is over. */
const WAITING: Readonly<Record<DeliveryMethod, Waiting>> = {
  operator: { reason: 'awaiting_operator', specificReasons: [] },
  manual: { reason: 'awaiting_manual', specificReasons: [] },
  payout: {
    reason: 'awaiting_payout',
    specificReasons: [
      'awaiting_payout_details',
      'below_minimum',
      'above_maximum',
      'payout_failed',
      'payout_returned',
    ],
  },
  stripe_balance: byStripe,
  stripe_coupon: byStripe,
};
const FAILURES: readonly DeliveryReason[] = ['provider_error', 'provider_rejected'];

export interface DeliveryFacts {
  readonly method: DeliveryMethod;
  readonly fulfillmentStatus: FulfillmentStatus;
  readonly availableAt: Instant;
  /** As of the last write. */
  readonly deliveryReason: DeliveryReason | null;
  readonly isDisputed: boolean;
  readonly isUnderReview: boolean;
  readonly void: object | null;
}

export interface Delivery {
  readonly status: DeliveryStatus;
  /** Null once delivered, unless it cannot be corrected or revoked. */
  readonly reason: DeliveryReason | null;
}

/** State of the delivery at `now`: a hold ends without a write. */
export function deliveryOf(facts: DeliveryFacts, now: Instant): Delivery {
  switch (facts.fulfillmentStatus) {
    case 'pending':
      return waitingOf(facts, now);
    case 'in_progress':
      return { status: 'processing', reason: 'provider_pending' };
    case 'failed':
      return { status: 'failed', reason: reportedReason(facts, FAILURES) ?? 'provider_error' };
    case 'cancelled':
      return { status: 'cancelled', reason: facts.void === null ? 'refunded' : 'voided' };
    // It was delivered, but a correction or revocation may fail.
    case 'fulfilled':
    case 'revocation_pending':
      return { status: 'delivered', reason: reportedReason(facts, FAILURES) ?? null };
    case 'revoked':
      return { status: 'delivered', reason: null };
  }
}

/** A hold delays deliveries by the service; the product may grant its own Rewards sooner. */
function waitingOf(facts: DeliveryFacts, now: Instant): Delivery {
  const { reason, specificReasons } = WAITING[facts.method];
  if (facts.isUnderReview) return { status: 'on_hold', reason: 'risk_review' };
  if (facts.isDisputed) return { status: 'on_hold', reason: 'dispute_open' };
  if (now < facts.availableAt) return { status: 'on_hold', reason: 'hold_period' };
  return { status: 'pending', reason: reportedReason(facts, specificReasons) ?? reason };
}

function reportedReason(
  { deliveryReason }: DeliveryFacts,
  known: readonly DeliveryReason[],
): DeliveryReason | undefined {
  return known.find((reason) => reason === deliveryReason);
}

/** Methods by which the service itself delivers, one Reward at a time. */
export const SERVICE_METHODS = ['stripe_balance', 'stripe_coupon'] as const;

export type ServiceMethod = (typeof SERVICE_METHODS)[number];

export function isServiceMethod(method: DeliveryMethod): method is ServiceMethod {
  return SERVICE_METHODS.some((one) => one === method);
}
