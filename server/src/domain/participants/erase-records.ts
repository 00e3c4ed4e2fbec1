import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { conflict, notFound } from '../../platform/kit/errors.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { addToEnrollmentCounts } from '../programs/update-counts.ts';
import { erasedName, tombstoneOf } from './names/names.ts';
import { listCodes, listLinks } from './names/queries.ts';
import {
  deleteNamesOf,
  endEnrollmentsOf,
  updateCodeNames,
  updateLinkNames,
} from './names/sharing-store.ts';
import { deletePartnerDays } from './partner-day-store.ts';
import { findParticipant } from './queries.ts';
import type { Participant } from './schema.ts';
import { deleteSearchKeys } from './search-key-store.ts';
import { eraseStarts } from './starts/plan-start.ts';
import {
  deleteTombstone,
  eraseParticipantRow,
  findTombstoneHash,
  insertTombstones,
  markReadmitted,
} from './store.ts';

/**
 * Erases what this domain knows about a participant. Their rows stay, with opaque ids. Their
 * external id, codes and slugs stay taken through tombstones, so that neither a queued retry nor
 * another person can reuse them.
 */
export async function eraseRecords(
  write: ProjectWrite,
  keyring: Keyring,
  participantId: string,
): Promise<void> {
  const { tx, projectId, now } = write;
  const participant = await findParticipant(tx, projectId, participantId);
  if (!participant)
    throw new Error(`Participant ${participantId} does not exist and cannot be erased.`);
  const [leftPrograms, names, codes] = await Promise.all([
    endEnrollmentsOf(tx, projectId, participantId, now),
    deleteNamesOf(tx, projectId, participantId),
    listCodes(tx, projectId, participantId, null),
  ]);
  addToEnrollmentCounts(tx, projectId, leftPrograms, -1);
  // Includes codes that were moved away: these rows also contain the name.
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
  await eraseStarts(write, participantId);
  deleteSearchKeys(tx, projectId, [participantId]);
  if (participant.partnerId !== null) deletePartnerDays(tx, projectId, participantId);
  eraseParticipantRow(tx, projectId, participantId, {
    externalId: stone ? erasedName(participantId) : null,
    tombstoneHash: stone?.hash ?? null,
    now,
  });
}

function toErased(id: string): { id: string; name: string } {
  return { id, name: erasedName(id) };
}

/**
 * Allows an erased external id to be used again: the next write that names it creates a new
 * participant. The erased participant, and their codes and slugs, stay erased. Lifting it again
 * returns the same result and does not affect the tombstone of a later erasure.
 */
export async function liftTombstone(
  write: ProjectWrite,
  participantId: string,
): Promise<{ readonly participant: Participant; readonly isLifted: boolean }> {
  const { tx, projectId, now } = write;
  const participant = await findParticipant(tx, projectId, participantId);
  if (!participant) throw notFound('participant');
  if (participant.deletedAt === null) {
    throw conflict('participant_not_deleted', 'This participant was not erased.');
  }
  if (participant.readmittedAt !== null) return { participant, isLifted: false };
  if (participant.externalId === null) {
    throw conflict(
      'no_tombstone',
      'This participant was a Partner. The same address can apply again without being readmitted.',
    );
  }
  const { kind, deletedAt } = participant;
  const hash = await findTombstoneHash(tx, projectId, { id: participantId, kind, deletedAt });
  if (hash === undefined) {
    throw conflict(
      'no_tombstone',
      'The external id of this participant is no longer known, because an earlier version erased several participants at the same time.',
    );
  }
  deleteTombstone(tx, projectId, { kind, hash });
  markReadmitted(tx, projectId, participantId, now);
  return { participant: { ...participant, readmittedAt: now, updatedAt: now }, isLifted: true };
}
