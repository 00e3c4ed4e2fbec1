import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { PurchaseIn } from '../../../../domain/tracking/event-schema.ts';
import type { TrackSubscription } from '../../../../domain/tracking/subscription-schema.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';

/** Whom something is about, as far as Stripe says. */
export interface Payer {
  readonly customerId: string | null;
  /** Named by metadata. */
  readonly participant: ParticipantRef | null;
}

/** An invoice that was paid. */
export interface StripePurchase {
  readonly kind: 'purchase';
  readonly invoiceId: string;
  readonly payer: Payer;
  /** What was paid in money, with tax: in ISO minor units, like every amount here. */
  readonly paidMinor: string;
  /** All that was paid with it, also what the customer had owed before. */
  readonly chargedMinor: string;
  /** What of `paidMinor` is no tax. */
  readonly netMinor: string;
  readonly currency: string;
  readonly subscriptionId: string | null;
  readonly billingReason: PurchaseIn['billingReason'];
  readonly occurredAt: Instant;
}

/** Which invoice a payment belongs to. */
interface StripePayment {
  readonly kind: 'payment';
  readonly paymentId: string;
  readonly invoiceId: string;
}

export type ReversalKind = 'refund' | 'dispute';

/** Money that went back. It names only the payment. */
export interface StripeReversal {
  readonly kind: 'reversal';
  readonly reversal: ReversalKind;
  readonly id: string;
  readonly paymentId: string;
  /** With tax. */
  readonly paidMinor: string;
  readonly currency: string;
  readonly occurredAt: Instant;
}

/** A refund that failed, or a dispute that was won. */
export interface StripeRestoration {
  readonly kind: 'restoration';
  readonly reversal: ReversalKind;
  readonly id: string;
  readonly occurredAt: Instant;
}

/** A dispute that was lost. */
export interface StripeLoss {
  readonly kind: 'loss';
  readonly id: string;
  readonly occurredAt: Instant;
}

export interface StripeSubscription {
  readonly kind: 'subscription';
  /** Stable: the subscription and what changed. */
  readonly changeId: string;
  readonly payer: Payer;
  readonly fact: Pick<
    TrackSubscription,
    'subscriptionId' | 'change' | 'planKey' | 'periodStart' | 'periodEnd' | 'occurredAt'
  >;
}

/** A customer whose metadata names a participant. */
export interface StripeCustomer {
  readonly kind: 'customer';
  readonly customerId: string;
  readonly participant: ParticipantRef;
}

/**
 * What an event of Stripe tells, in our words and units. It survives being written as JSON, and has
 * nothing of a person but the ids that Stripe and the Project have for them.
 */
export type StripeFact =
  | StripePurchase
  | StripePayment
  | StripeReversal
  | StripeRestoration
  | StripeLoss
  | StripeSubscription
  | StripeCustomer;

/** Why an event of Stripe is let go. */
export const IGNORED_REASONS = [
  /** We do not ask for this type. */
  'other_type',
  /** Nothing happened that we have a word for. */
  'no_fact',
  'currency_unsupported',
  /** One that Stripe itself would not take in this currency. */
  'amount_unsupported',
  /** Another than that of the purchase which it is about. */
  'currency_differs',
  /** Its invoice was recorded by an earlier version as a duplicate of a purchase that is another one. */
  'purchase_not_counted',
  /** It was lost before: what it took is final. */
  'dispute_closed',
  /** Reported before, under another event. */
  'known_already',
  'participant_deleted',
  'too_old',
] as const;
export type IgnoredReason = (typeof IGNORED_REASONS)[number];
