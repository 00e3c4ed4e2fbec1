import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { conflict, notFound } from '../../../platform/kit/errors.ts';
import { findParticipant } from '../find-participant.ts';
import type { Participant } from '../schema.ts';
import { deleteTombstone, findTombstoneHash, markReadmitted } from '../store.ts';

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
      'This participant was a Partner: nothing keeps the same address from applying again.',
    );
  }
  const { kind, deletedAt } = participant;
  const hash = await findTombstoneHash(tx, projectId, { id: participantId, kind, deletedAt });
  if (hash === undefined) {
    throw conflict(
      'no_tombstone',
      'It is not known any more which external id this participant had: an earlier version erased several at the same time.',
    );
  }
  deleteTombstone(tx, projectId, { kind, hash });
  markReadmitted(tx, projectId, participantId, now);
  return { participant: { ...participant, readmittedAt: now, updatedAt: now }, isLifted: true };
}
