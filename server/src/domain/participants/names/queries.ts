import type { Queryable } from '../../../platform/db/driver.ts';
import type { Participant, ParticipantRef, ReferralCode } from '../schema.ts';
import { findByRef } from '../store.ts';
import { canBeName, isHeld, presentCode, type ShareBase } from './names.ts';
import {
  findLatestEnrollment,
  findSharedName,
  listCodes,
  type SharedName,
} from './sharing-store.ts';

/** The participant that a caller names, if the Project has it. Never creates one; an erased one is not found. */
export function findNamed(
  db: Queryable,
  projectId: string,
  ref: ParticipantRef,
): Promise<Participant | undefined> {
  return findByRef(db, projectId, ref);
}

/**
 * The code by which somebody shares a Program, if they have one and are still enrolled: what
 * `createReferralCode` would return without creating anything.
 */
export async function findOwnCode(
  db: Queryable,
  projectId: string,
  base: ShareBase,
  asked: { readonly participant: ParticipantRef; readonly programId: string },
): Promise<ReferralCode | undefined> {
  const participant = await findByRef(db, projectId, asked.participant);
  if (!participant) return undefined;
  const [enrollment, codes] = await Promise.all([
    findLatestEnrollment(db, projectId, participant.id, asked.programId),
    listCodes(db, projectId, participant.id, asked.programId),
  ]);
  const code = codes.find(isHeld);
  if (!code || enrollment?.endsAt !== null) return undefined;
  return presentCode(base, code);
}

/**
 * Finds the code or link that somebody followed or typed, ignoring case and surrounding white
 * space. Undefined for a name that does not exist, or no longer exists.
 */
export async function resolveName(
  db: Queryable,
  projectId: string,
  text: string,
): Promise<SharedName | undefined> {
  const name = text.trim().toLowerCase();
  return canBeName(name) ? findSharedName(db, projectId, name) : undefined;
}
