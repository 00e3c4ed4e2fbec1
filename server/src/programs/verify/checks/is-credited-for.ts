import type { AuditedParties } from '../stores/fact-store.ts';

/** Whether an event may count for the referral with this referee (D-AM-2). */
export function isCreditedFor(parties: AuditedParties, refereeId: string | null): boolean {
  const { participantId, actorId, creatorId } = parties;
  return refereeId !== null && [participantId, actorId, creatorId].includes(refereeId);
}
