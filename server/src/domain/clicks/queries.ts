import type { Queryable } from '../../platform/db/driver.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { resolveName } from '../participants/names/queries.ts';
import { findLanding } from '../programs/queries.ts';
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

/** What a shared name leads to. */
export interface Target {
  readonly code: string;
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly linkId: string | null;
  readonly programId: string;
  readonly referrerParticipantId: string;
  /** Empty while the Program has no page yet. */
  readonly landingPageUrl: string;
  /** Whether following it counts: the Program is active and the owner is enrolled in it. */
  readonly isOpen: boolean;
}

/** Undefined for a name that does not exist, or no longer exists. */
export async function findTarget(
  db: Queryable,
  projectId: string,
  name: string,
  now: Instant,
): Promise<Target | undefined> {
  const shared = await resolveName(db, projectId, name);
  if (!shared) return undefined;
  const { code, refCodeId, linkId, programId, participantId, isTakingPart } = shared;
  const landing = await findLanding(db, projectId, programId, now);
  if (!landing) throw new Error(`Code ${refCodeId} belongs to no program.`);
  return {
    code,
    refCodeId,
    linkId,
    programId,
    referrerParticipantId: participantId,
    landingPageUrl: landing.landingPageUrl,
    isOpen: isTakingPart && landing.isActive,
  };
}
