import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { addToEnrollmentCounts } from '../programs/queries.ts';
import { findParticipant } from './find-participant.ts';
import {
  deleteNamesOf,
  endEnrollmentsOf,
  listCodes,
  listLinks,
  updateCodeNames,
  updateLinkNames,
} from './names/sharing-store.ts';
import { erasedName, tombstoneOf } from './names/tombstone.ts';
import { eraseParticipantRow, insertTombstones } from './store.ts';

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
  const [leftPrograms, names, codes] = await Promise.all([
    endEnrollmentsOf(tx, projectId, participantId, now),
    deleteNamesOf(tx, projectId, participantId),
    listCodes(tx, projectId, participantId, null),
  ]);
  addToEnrollmentCounts(tx, projectId, leftPrograms, -1);
  // Those that were moved away have the name, too.
  const codeIds = codes.map(({ id }) => id);
  const linkIds = (await listLinks(tx, projectId, codeIds)).map(({ id }) => id);
  updateCodeNames(tx, projectId, now, codeIds.map(toErased));
  updateLinkNames(tx, projectId, now, linkIds.map(toErased));
  const { kind, externalId } = participant;
  const stone = externalId === null ? null : tombstoneOf(keyring, projectId, kind, externalId);
  insertTombstones(tx, projectId, now, [
    ...names.map((name) => tombstoneOf(keyring, projectId, 'name', name)),
    ...(stone ? [stone] : []),
  ]);
  eraseParticipantRow(tx, projectId, participantId, {
    externalId: stone ? erasedName(participantId) : null,
    tombstoneHash: stone?.hash ?? null,
    now,
  });
}

function toErased(id: string): { id: string; name: string } {
  return { id, name: erasedName(id) };
}
