import { NO_RISK } from '../src/domain/risk/decide/risk-facts.ts';
import type { ReviewRow } from '../src/domain/risk/reviews/review.ts';

/** A review as it is right after it was opened, but for the changes. */
export function aReview(changes: Partial<ReviewRow> = {}): ReviewRow {
  return {
    id: 'rvw',
    projectId: 'prj',
    number: 1,
    programId: 'prg',
    referralId: 'ref',
    referrerParticipantId: 'ada',
    refereeParticipantId: 'bob',
    eventId: 'evt',
    policyVersionId: 'rkp',
    score: 60,
    reviewAt: 60,
    signals: [{ signal: 'email_alias', value: '1', points: 60 }],
    facts: { ...NO_RISK, sameAddresses: 1 },
    status: 'open',
    openedAt: '2026-11-15T09:30:00.000Z',
    decidedAt: null,
    decidedBy: null,
    note: null,
    isUnfinished: false,
    ...changes,
  };
}
