import type { Queryable } from '../../platform/db/driver.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Touch } from './schema.ts';
import { blankVisitsOf, findTouchRow } from './store.ts';

/** Includes whose touch it is: known from the handle, or from the touch itself if a code came with a signup. */
export async function findTouch(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<Touch | undefined> {
  const row = await findTouchRow(db, projectId, id);
  if (!row) return undefined;
  const { participantId, handleParticipantId, handleIdentifiedAt, ...touch } = row;
  if (participantId !== null) {
    return { ...touch, identifiedParticipantId: participantId, identifiedAt: touch.createdAt };
  }
  return {
    ...touch,
    identifiedParticipantId: handleParticipantId,
    // An erased person's handle stays closed, but belongs to nobody.
    identifiedAt: handleParticipantId === null ? null : handleIdentifiedAt,
  };
}

/**
 * Erases which pages a participant came through. Must run while their handles still name them:
 * before `eraseIdentities` unlinks these.
 */
export async function eraseVisits(write: ProjectWrite, participantId: string): Promise<void> {
  blankVisitsOf(write.tx, write.projectId, participantId, write.now);
}
