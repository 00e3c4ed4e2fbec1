import type { Instant } from '../../../platform/kit/instant.ts';
import type { PinnedSignal, RiskFacts } from '../decide/risk-facts.ts';
import type { ReviewStatus } from '../schema.ts';

/** A review as stored. */
export interface ReviewRow {
  readonly id: string;
  readonly projectId: string;
  /** In the Project's list of reviews, from 1. */
  readonly number: number;
  readonly programId: string;
  readonly referralId: string;
  readonly referrerParticipantId: string;
  readonly refereeParticipantId: string;
  /** The Event that was judged. */
  readonly eventId: string;
  readonly policyVersionId: string;
  readonly score: number;
  readonly reviewAt: number;
  /** Those that fired, and what they found it in. */
  readonly signals: readonly PinnedSignal[];
  readonly facts: RiskFacts;
  readonly status: ReviewStatus;
  readonly openedAt: Instant;
  readonly decidedAt: Instant | null;
  readonly decidedBy: string | null;
  readonly note: string | null;
  /** Whether the decision was not carried out on all Rewards yet. */
  readonly isUnfinished: boolean;
}
