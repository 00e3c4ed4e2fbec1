import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { saveParticipant } from './enrollments/join-steps.ts';
import { ensureParticipant } from './participant-slice.ts';
import { loadParticipants } from './queries.ts';
import type { Participant, ParticipantRef } from './schema.ts';

/** The participant that a write names, created if the Project does not have it. Fails with participant_deleted. */
export async function ensureNamed(
  write: ProjectWrite,
  keyring: Keyring,
  ref: ParticipantRef,
): Promise<Participant> {
  const slice = await loadParticipants(write.tx, keyring, write.projectId, { refs: [ref] });
  const ensured = ensureParticipant(slice, ref, write);
  if ('refused' in ensured) throw ensured.refused;
  if (ensured.isNew) saveParticipant(write, ensured.participant);
  return ensured.participant;
}
