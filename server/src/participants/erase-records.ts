import type { ProjectWrite } from '../feed/project-write.ts';
import type { Keyring } from '../kit/keyring.ts';
import { addToEnrollmentCount } from '../programs/count-enrollments.ts';
import { findParticipant } from './find-participant.ts';
import { endEnrollmentsOf, eraseParticipantRow, insertTombstones, killNamesOf } from './store.ts';
import { erasedName, tombstoneOf } from './tombstone.ts';

/**
 * Erases what this domain knows of a participant. Their rows stay under opaque ids; their
 * external id, codes and slugs stay taken through tombstones, so that neither a queued
 * retry nor a stranger can pick them up.
 */
export async function eraseRecords(
  write: ProjectWrite,
  keyring: Keyring,
  participantId: string,
): Promise<void> {
  const { tx, projectId, now } = write;
  const participant = await findParticipant(tx, projectId, participantId);
  if (!participant) throw new Error(`Participant ${participantId} is not there to be erased.`);
  for (const programId of await endEnrollmentsOf(tx, projectId, participantId, now)) {
    addToEnrollmentCount(tx, projectId, programId, -1);
  }
  const names = await killNamesOf(tx, projectId, participantId, now);
  const { kind, externalId } = participant;
  insertTombstones(tx, projectId, now, [
    ...names.map((name) => tombstoneOf(keyring, projectId, 'name', name)),
    ...(externalId === null ? [] : [tombstoneOf(keyring, projectId, kind, externalId)]),
  ]);
  const shown = externalId === null ? null : erasedName(participantId);
  eraseParticipantRow(tx, projectId, participantId, now, shown);
}
