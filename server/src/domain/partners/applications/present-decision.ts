import type { PartnerDecision } from '../schema.ts';
import type { ApplicationRow } from '../store.ts';

/** What was decided, without the applicant's data: the answer is kept for its Idempotency-Key. */
export function presentDecision(application: ApplicationRow): PartnerDecision {
  return {
    partnerRequestId: application.id,
    programId: application.programId,
    participantId: application.participantId,
    status: application.status,
    decidedAt: application.decidedAt,
    decidedBy: application.decidedBy,
  };
}
