import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ReviewRow } from '../reviews/review.ts';
import type { ReviewStatus } from '../schema.ts';
import { type PinnedVerdict, unpackFacts } from './risk-facts.ts';

/** What a review is of. */
export interface ReviewedReferral {
  readonly id: string;
  readonly projectId: string;
  readonly programId: string;
  readonly referrerParticipantId: string;
  readonly refereeParticipantId: string;
  readonly reviewStatus: ReviewStatus | null;
}

/** The context of an opening; `nextNumber` is called only if a review is opened. */
export interface Opening {
  readonly eventId: string;
  readonly now: Instant;
  readonly newId: NewId;
  readonly nextNumber: () => number;
}

/**
 * The review that a verdict opens; null if it opens none. A referral is reviewed once: a person's decision is not asked
 * for again.
 */
export function decideOpening(
  referral: ReviewedReferral,
  verdict: PinnedVerdict,
  { eventId, now, newId, nextNumber }: Opening,
): ReviewRow | null {
  const { mode, score, reviewAt, policyVersionId, signals, facts } = verdict;
  if (mode !== 'review' || score < reviewAt || referral.reviewStatus !== null) return null;
  // The default policy does not review.
  if (policyVersionId === null) return null;
  const { id: referralId, projectId, programId } = referral;
  const { referrerParticipantId, refereeParticipantId } = referral;
  return {
    id: newId('rvw'),
    number: nextNumber(),
    projectId,
    programId,
    referralId,
    referrerParticipantId,
    refereeParticipantId,
    eventId,
    policyVersionId,
    score,
    reviewAt,
    signals,
    facts: unpackFacts(facts),
    status: 'open',
    openedAt: now,
    decidedAt: null,
    decidedBy: null,
    note: null,
    isUnfinished: false,
  };
}
