import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { TrackSubscription } from '../../../../domain/tracking/billing-schema.ts';
import type { PurchaseIn } from '../../../../domain/tracking/event-schema.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';

/** The payer, as far as Stripe identifies them. */
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
  /** The amount paid in money, with tax. In ISO minor units, like every amount here. */
  readonly paidMinor: string;
  /** Everything that was paid with it, including what the customer had owed before. */
  readonly chargedMinor: string;
  /** The part of `paidMinor` that is not tax. */
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

/** Money that was returned. Names only the payment. */
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

/** A payment by card. The card is a keyed hash, which signals of risk compare. */
export interface StripeCard {
  readonly kind: 'card';
  readonly chargeId: string;
  readonly payer: Payer;
  readonly cardHash: string;
  readonly occurredAt: Instant;
}

/**
 * An event of Stripe in our terms and units. It can be stored as JSON, and contains no personal
 * data except the ids that Stripe and the project use.
 */
export type StripeFact =
  | StripePurchase
  | StripePayment
  | StripeReversal
  | StripeRestoration
  | StripeLoss
  | StripeSubscription
  | StripeCustomer
  | StripeCard;

/** Why an event of Stripe is ignored. */
export const IGNORED_REASONS = [
  /** Not one of the types we use. */
  'other_type',
  /** It contains no change that we track. */
  'no_fact',
  'currency_unsupported',
  /** An amount that Stripe itself would not accept in this currency. */
  'amount_unsupported',
  /** Not the currency of the purchase that it is about. */
  'currency_differs',
  /** An earlier version recorded its invoice as a duplicate of a different purchase. */
  'purchase_not_counted',
  /** The dispute was lost before, and its amount is final. */
  'dispute_closed',
  /** Reported before, under another event. */
  'known_already',
  'participant_deleted',
  'too_old',
] as const;
export type IgnoredReason = (typeof IGNORED_REASONS)[number];

type Metadata = Readonly<Record<string, string>> | null | undefined;
/** Stripe sends either an id or the whole object. */
type Named = string | { readonly id: string } | null | undefined;

const EXTERNAL_ID_CHARS_MAX = 512;

export function idOf(named: Named): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null);
}

/** The first metadata that names a participant counts. */
export function readPayer(customer: Named, ...metadata: readonly Metadata[]): Payer {
  const named = metadata.flatMap((one) => readParticipant(one) ?? []);
  return { customerId: idOf(customer), participant: named[0] ?? null };
}

/** An individual unless `participant_kind` says `group`; null if nobody is named. */
export function readParticipant(metadata: Metadata): ParticipantRef | null {
  const externalId = metadata?.participant_external_id;
  const kind = metadata?.participant_kind ?? 'individual';
  if (!externalId || (kind !== 'individual' && kind !== 'group')) return null;
  const isName =
    /\S/.test(externalId) &&
    externalId.length <= EXTERNAL_ID_CHARS_MAX &&
    externalId.isWellFormed() &&
    !externalId.includes('\0');
  return isName ? { kind, externalId } : null;
}
