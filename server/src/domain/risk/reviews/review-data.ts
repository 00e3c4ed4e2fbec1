import type { PartyRef } from '../../../platform/feed/writer/project-write.ts';
import type { ReviewRow } from './review.ts';

const party = (participantId: string): PartyRef => ({ $party: participantId });

/** `data` of `risk.review_opened` and `risk.review_decided`: no note, which is free text. */
export function reviewData(review: ReviewRow): Record<string, unknown> {
  return {
    review: {
      id: review.id,
      programId: review.programId,
      referralId: review.referralId,
      referrer: party(review.referrerParticipantId),
      referee: party(review.refereeParticipantId),
      status: review.status,
      score: review.score,
      signals: review.signals.map(({ signal }) => signal),
      openedAt: review.openedAt,
      decidedAt: review.decidedAt,
    },
  };
}
