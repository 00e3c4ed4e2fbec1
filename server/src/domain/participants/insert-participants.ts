import type { PartyRef, ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Sides } from './referral-parties.ts';
import type { Participant } from './schema.ts';
import { insertParticipantRows, type NumberedParticipant } from './store.ts';

const NO_SIDES: Sides = { referrers: new Set(), referees: new Set() };

/**
 * Gives a new participant its place in the lists and announces it in the feed. Call it
 * where the event belongs in the feed's order, and save what it returns with
 * `insertParticipants` in the same transaction.
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
 * Saves introduced participants, however many, in one statement; those among `sides` as
 * sides of the referrals that are made with them.
 */
export function insertParticipants(
  write: ProjectWrite,
  participants: readonly NumberedParticipant[],
  sides: Sides = NO_SIDES,
): void {
  if (participants.length === 0) return;
  const pick = (ids: ReadonlySet<string>) =>
    participants.flatMap(({ id }) => (ids.has(id) ? [id] : []));
  insertParticipantRows(write.tx, write.projectId, participants, {
    referrerIds: pick(sides.referrers),
    refereeIds: pick(sides.referees),
  });
}
