import type { Instant } from '../../../platform/kit/instant.ts';
import type { KnownPerson } from '../../participants/participant-slice.ts';
import type { ProgramStart } from '../../participants/schema.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { JudgedFacts, PaidAccount, RiskProfile } from '../../risk/risk-slice.ts';
import type { EnrollmentSpan, NamedCode, Touch } from '../../tracking/batch/facts.ts';
import type { AdjustmentKind } from '../../tracking/billing-schema.ts';
import type { SourceRef } from '../../tracking/intake/normalize-billing.ts';
import type { EventInput } from '../../tracking/intake/normalize-event.ts';

/**
 * A place in the history of a Project: the time by its clock, then the sortable part of an id, which puts facts of the
 * same millisecond in the order in which they were taken.
 */
export interface Place {
  readonly at: Instant;
  /** Of something without an id of its own: '' before, or `LAST` after everything else of its millisecond. */
  readonly order: string;
}
export const LAST = '~';

export function isBefore(one: Place, other: Place): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** The part of an id after its prefix. */
export function orderOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** A refund, a dispute, the loss of one, or a restoration, as it was stored. */
export interface PastAdjustment extends SourceRef {
  readonly id: string;
  readonly number: number;
  readonly purchaseId: string;
  readonly kind: AdjustmentKind;
  readonly amountMinor: bigint | null;
  readonly restores: SourceRef | null;
  readonly closes: SourceRef | null;
  readonly occurredAt: Instant;
  readonly receivedAt: Instant;
}

/** What was stored for an Event, with what its decision needs and is not kept by the replay. */
export interface PastEvent {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly participantId: string;
  readonly actorParticipantId: string | null;
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string | null;
  readonly occurredAt: Instant;
  readonly receivedAt: Instant;
  readonly facts: EventInput['facts'];
  /** When it was last written: when it was decided, unless something else changed it later. */
  readonly writtenAt: Instant;
  readonly state: 'pending' | 'processed' | 'failed';
  readonly purchaseId: string | null;
  readonly duplicateOf: string | null;
  /** How many adjustments its purchase has, at any time. */
  readonly adjustments: number;
  /** Whether it created its referral without a signup. */
  readonly isImport: boolean;
  /** The code that was sent with it. */
  readonly code: NamedCode | null;
  /** Adjustments that waited for it. */
  readonly early: readonly PastAdjustment[];
  /** What its referral was judged by; null if it was not, `forgotten` if an erasure has removed it. */
  readonly risk: JudgedFacts | 'forgotten' | null;
  readonly rewards: readonly PastReward[];
  /** The decision of the review that it opened. */
  readonly review: PastReview | null;
}

export interface PastReview {
  readonly refereeId: string;
  readonly status: 'open' | 'approved' | 'rejected';
  readonly decidedAt: Instant | null;
}

/** A Reward that was given. */
export type PastReward = Pick<
  RewardRow,
  | 'id'
  | 'programId'
  | 'ruleId'
  | 'eventId'
  | 'beneficiaryParticipantId'
  | 'benefitKind'
  | 'netAmountMinor'
  | 'currency'
  | 'quantity'
  | 'unitId'
  | 'earnedAt'
  | 'fulfillmentStatus'
  | 'fulfillment'
  | 'revocation'
  | 'void'
> & {
  readonly milestoneAt: bigint | null;
  /** Whether its void carried out the decision of a review. */
  readonly isVoidedByReview: boolean;
};

/** The start of a subscription. */
export interface PastStart extends SourceRef {
  readonly id: string;
  readonly participantId: string;
  readonly subscriptionId: string;
  readonly planKey: string | null;
  readonly periodStart: Instant | null;
  readonly periodEnd: Instant | null;
  readonly occurredAt: Instant;
  readonly receivedAt: Instant;
}

/** A touch of a browser, from when it belonged to this person. */
export interface PastTouch extends Touch {
  readonly ownerId: string;
  readonly knownAt: Instant;
}

/** Somebody as they are now, with what they brought from elsewhere. */
export interface PastPerson extends KnownPerson {
  readonly starts: readonly ProgramStart[];
  readonly enrollments: readonly EnrollmentSpan[];
  /** Signs of risk, if reviews may open. */
  readonly profile: RiskProfile | null;
  readonly account: PaidAccount | null;
}

export type PastFact =
  | { readonly kind: 'event'; readonly event: PastEvent }
  | { readonly kind: 'adjustment'; readonly adjustment: PastAdjustment }
  | { readonly kind: 'start'; readonly start: PastStart };

export function placeOf(fact: PastFact): Place {
  const of = ({
    id,
    receivedAt,
  }: {
    readonly id: string;
    readonly receivedAt: Instant;
  }): Place => ({
    at: receivedAt,
    order: orderOf(id),
  });
  if (fact.kind === 'event') return of(fact.event);
  return of(fact.kind === 'adjustment' ? fact.adjustment : fact.start);
}

export function occurredAtOf(fact: PastFact): Instant {
  if (fact.kind === 'event') return fact.event.occurredAt;
  return fact.kind === 'adjustment' ? fact.adjustment.occurredAt : fact.start.occurredAt;
}
