import type { PartyRef, ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Sides } from './referral-parties.ts';
import type { Participant } from './schema.ts';
import { insertParticipantRows, type NumberedParticipant } from './store.ts';

const NO_SIDES: Sides = { referrers: new Set(), referees: new Set() };

/**
 * Numbers a new participant for the lists and adds its event to the feed. Call it at the event's
 * place in the feed's order, and save the result with `insertParticipants` in the same transaction.
 */
export function introduceParticipant(
  write: ProjectWrite,
  participant: Participant,
): NumberedParticipant {
  const party: PartyRef = { $party: participant.id };
  write.append('participant.created', { participant: party });
  return {
    ...participant,
    number: write.nextNumber('participants'),
    kindNumber: write.nextNumber(`participants_${participant.kind}`),
  };
}

/**
 * Saves introduced participants in one statement. Those in `sides` are marked as sides of the
 * referrals that are created with them.
 */
export function insertParticipants(
  write: ProjectWrite,
  participants: readonly NumberedParticipant[],
  sides: Sides = NO_SIDES,
): void {
  if (participants.length === 0) return;
  const rows = participants.map((participant) => ({
    ...participant,
    isReferrer: sides.referrers.has(participant.id),
    isReferee: sides.referees.has(participant.id),
  }));
  insertParticipantRows(write.tx, write.projectId, rows);
}
