import type { Figure, Tally } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { JudgedCandidate } from '../../attribution/decide-attribution.ts';
import type { IdentitySlice } from '../../attribution/decide-identify.ts';
import type { NamedCodeRow } from '../../participants/names/queries.ts';
import type { KnownPerson, ParticipantSlice } from '../../participants/participant-slice.ts';
import type { Enrollment } from '../../participants/schema.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import type { UnmetCondition } from '../../rewards/decide/check-conditions.ts';
import type { SkipReason } from '../../rewards/decide/earn-rewards.ts';
import type { PinnedMilestone } from '../../rewards/decide/measured-benefit.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { PinnedVerdict } from '../../risk/decide/risk-facts.ts';
import type { RiskSlice } from '../../risk/risk-slice.ts';
import type { ReviewStatus } from '../../risk/schema.ts';
import type { SubscriptionFact } from '../billing-schema.ts';
import type { VisitCampaign } from '../decide/decide-campaign.ts';
import type { AdjustmentStep } from '../decide/purchase-standing.ts';
import type { ProcessingReason, Referral, TrackAnswer } from '../event-schema.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-billing.ts';
import type { EventInput, PurchaseFacts } from '../intake/normalize-event.ts';
import type { Source } from '../schema.ts';

/** A name that somebody can type or follow: a code or a link's slug. */
export type NamedCode = Omit<NamedCodeRow, 'name'>;

export interface Touch extends VisitCampaign {
  readonly id: string;
  readonly programId: string;
  readonly handleId: string | null;
  readonly participantId: string | null;
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly referrerParticipantId: string;
  readonly occurredAt: Instant;
  /** A keyed hash of where it came from, for signals; null for a typed code, and some days later. */
  readonly networkHash: string | null;
}

/** A Referral with what is stored for figures alone. */
export interface StoredReferral extends Referral {
  /** The link that was followed or typed; null for a code. */
  readonly linkId: string | null;
  /** The month and the campaign of the touch, as it is counted; null without one. */
  readonly campaign: string | null;
  /** When the first purchase that was credited to it was received. */
  readonly firstPurchaseAt: Instant | null;
  /** The status of its review; null without one. */
  readonly reviewStatus: ReviewStatus | null;
}

/** What the amounts of a purchase count for. */
export interface PurchaseCredit
  extends Pick<
    StoredReferral,
    | 'programId'
    | 'referrerParticipantId'
    | 'refereeParticipantId'
    | 'linkId'
    | 'campaign'
    | 'reviewStatus'
  > {
  /** When the purchase was received. */
  readonly receivedAt: Instant;
}

export type EnrollmentSpan = Readonly<
  Pick<Enrollment, 'id' | 'participantId' | 'programId' | 'startsAt' | 'endsAt'>
>;

export interface Explanation {
  readonly candidates: readonly JudgedCandidate[];
  readonly rules: readonly ExplainedRule[];
  /** How the referral was judged; absent if it was not. */
  readonly risk?: PinnedVerdict;
}

export interface ExplainedRule {
  readonly ruleId: string;
  readonly termsVersionId: string | null;
  readonly beneficiaryRole: string;
  readonly verdict: 'earned' | 'skipped';
  readonly reason: SkipReason | null;
  readonly rewardId: string | null;
  /** Set if the Reward is one that an earlier Event had earned, and that was lost. */
  readonly isRegained?: true;
  readonly calculation: unknown;
  /** Set if the reason is `condition_not_met`. */
  readonly condition?: UnmetCondition;
  /** The next one if the reason is `milestone_not_reached`; the one that was passed or earned before. */
  readonly milestone?: PinnedMilestone;
}

export interface TrackedEvent {
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
  readonly factsHash: string;
  readonly processingState: TrackAnswer['processingState'];
  readonly processingReason: ProcessingReason;
  readonly attemptCount: number;
  readonly nextAttemptAt: Instant | null;
  readonly explanation: Explanation | null;
  /** Program of the credited referral. */
  readonly programId: string | null;
  /** The credited referral; also null if it was credited before this was stored. */
  readonly referralId: string | null;
}

export interface Purchase extends PurchaseFacts {
  readonly id: string;
  readonly eventId: string;
  readonly participantId: string;
  readonly duplicateOf: string | null;
  /** The loyalty Programs whose rules judged it for a member. */
  readonly loyaltyProgramIds: readonly string[];
  /** When its Event was received. */
  readonly receivedAt: Instant;
  /** Total refunded or disputed so far, and the disputed part of it. */
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

/** A refund, a dispute, the loss of one, or a restoration of either. */
export interface PurchaseAdjustment extends AdjustmentStep, SourceRef {
  readonly purchaseId: string;
  readonly restoredMinor: bigint;
  readonly refundedTotalMinor: bigint;
  readonly disputedTotalMinor: bigint;
  readonly factsHash: string;
}

/** What a Reward contributes to its earning period. */
export interface Earning {
  /** Number of the Reward. */
  readonly number: number;
  /** When the Event occurred. */
  readonly occurredAt: Instant;
}

/** An adjustment that arrived before its purchase. */
export interface EarlyAdjustment {
  /** Id of the adjustment once it is applied. */
  readonly id: string;
  readonly number: number;
  readonly input: AdjustmentInput;
  readonly keptAt: Instant;
  readonly expiresAt: Instant;
}

/** An adjustment that is not applied, and why. */
export interface DroppedAdjustment {
  readonly early: EarlyAdjustment;
  readonly reason: string;
}

export interface SourceKey extends SourceRef {
  readonly factsHash: string;
  readonly answer: object;
}

/** Who has bought something that was not fully refunded. */
export interface Customers {
  /** By purchases other than those that this batch changes, also by those without an amount. */
  readonly known: ReadonlySet<string>;
  /** Those of them who have paid something. */
  readonly payers: ReadonlySet<string>;
  /** The same outside a subscription: the person and the subscription. */
  readonly knownOutside: ReadonlySet<string>;
  /** The processed ones among the loaded purchases that this batch creates, decides or changes. */
  readonly decided: Set<string>;
  /** People with a purchase without an amount in this batch. */
  readonly unpriced: Set<string>;
}

/** The inputs of one batch's decisions: as loaded, then as changed by the previous commands. */
export interface LedgerState {
  readonly book: ProgramBook;
  readonly sources: ReadonlyMap<string, Source>;
  readonly participants: ParticipantSlice;
  readonly identities: IdentitySlice;
  /** Participants that are known by id only, such as referrers. */
  readonly people: Map<string, KnownPerson>;
  /** Earlier facts, by `sourceKey`. */
  readonly keys: Map<string, { readonly factsHash: string; readonly answer: object }>;
  readonly signups: Map<string, TrackAnswer>;
  /** Signups that wait for the start of a subscription, by participant. */
  readonly promised: Map<string, TrackedEvent>;
  /** Started subscriptions, by participant: of those who sign up or start one in this batch. */
  readonly starts: Map<string, readonly SubscriptionFact[]>;
  /** The holders of each name, oldest first; the last is the current one. */
  readonly names: ReadonlyMap<string, readonly NamedCode[]>;
  /** By the person they belong to. */
  readonly touchesOf: Map<string, readonly Touch[]>;
  readonly touchesOfHandle: ReadonlyMap<string, readonly Touch[]>;
  /** Codes sent with signups, by participant. */
  readonly codeTouchesOf: Map<string, readonly Touch[]>;
  /** The creator of each group. */
  readonly creatorOf: Map<string, string>;
  /** By referee. */
  readonly referrals: Map<string, StoredReferral>;
  readonly enrollments: EnrollmentSpan[];
  /** Purchases that wait for their person's signup, or for its subscription. */
  readonly waiting: Map<string, readonly TrackedEvent[]>;
  /** Events that were decided in this batch, and those whose purchase it restores; by id. */
  readonly decidedEvents: Map<string, TrackedEvent>;
  readonly purchases: Map<string, Purchase>;
  readonly purchaseOfEvent: Map<string, string>;
  /**
   * By `sourceKey`; the first purchase, if a second Event reported its invoice again. Null if an
   * earlier version took it for a duplicate of somebody else's purchase: it is not counted.
   */
  readonly purchaseOfKey: Map<string, string | null>;
  /** By purchase, in order of arrival. */
  readonly adjustmentsOf: Map<string, readonly PurchaseAdjustment[]>;
  /** The first Rewards that count as given, of rules that earn for some months: by `earningKey`, then by id. */
  readonly earnings: Map<string, ReadonlyMap<string, Earning>>;
  /** When the Events of Rewards that may change in this batch occurred; by Event. */
  readonly occurredAt: Map<string, Instant>;
  /** Rewards of milestones that may be lost or restored in this batch, and those that it earns; by id. */
  readonly milestones: Map<string, RewardRow>;
  /** By purchase. */
  readonly rewardsOf: Map<string, ReadonlyMap<string, RewardRow>>;
  /** Adjustments that arrived before their purchase, by the purchase's `sourceKey`, in order of arrival. */
  readonly early: Map<string, readonly EarlyAdjustment[]>;
  readonly customers: Customers;
  /** By purchase: of those that were credited to a referral and that this batch decides or changes. */
  readonly credits: Map<string, PurchaseCredit>;
  /** The campaigns of this month, by Program: of those that a referral of this batch may come by. */
  readonly campaigns: Map<string, ReadonlySet<string>>;
  /** Purchases by `invoiceKey`. */
  readonly invoices: Map<string, string>;
  readonly figures: Tally;
  /** Those of one subject: a replay has the figures of everybody, and does not walk through them. */
  readonly figuresOf?: ((subject: string) => readonly Figure[]) | undefined;
  /** What referrals are judged by. */
  readonly risk: RiskSlice;
}
