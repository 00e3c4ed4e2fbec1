import type { PartnerDecision } from '../schema.ts';
import type { ApplicationRow } from '../store.ts';

/** The decision without the applicant's data: the response is stored for its Idempotency-Key. */
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
