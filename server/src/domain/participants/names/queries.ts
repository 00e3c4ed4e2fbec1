import type { Queryable } from '../../../platform/db/driver.ts';
import type { Participant, ParticipantRef, ReferralCode } from '../schema.ts';
import { findByRef } from '../store.ts';
import { presentCode, type ShareBase } from './present-sharing.ts';
import {
  findLatestEnrollment,
  findSharedName,
  isHeld,
  listCodes,
  type SharedName,
} from './sharing-store.ts';
import { canBeName } from './slugify.ts';

/** Whom a caller names, if the Project has them. Nobody is made by it, and the erased are nobody. */
export function findNamed(
  source: Queryable,
  projectId: string,
  ref: ParticipantRef,
): Promise<Participant | undefined> {
  return findByRef(source, projectId, ref);
}

/**
 * The code that somebody shares a Program by, if they have one and take part in it still: what
 * `createReferralCode` would give without making anything.
 */
export async function findOwnCode(
  source: Queryable,
  projectId: string,
  base: ShareBase,
  asked: { readonly participant: ParticipantRef; readonly programId: string },
): Promise<ReferralCode | undefined> {
  const participant = await findByRef(source, projectId, asked.participant);
  if (!participant) return undefined;
  const [enrollment, codes] = await Promise.all([
    findLatestEnrollment(source, projectId, participant.id, asked.programId),
    listCodes(source, projectId, participant.id, asked.programId),
  ]);
  const code = codes.find(isHeld);
  if (!code || enrollment?.endsAt !== null) return undefined;
  return presentCode(base, code);
}

/**
 * Whose code or link it is that somebody followed or typed; white space around it and the
 * case of letters do not matter. Undefined for what nobody has, or no longer has.
 */
export async function resolveName(
  source: Queryable,
  projectId: string,
  text: string,
): Promise<SharedName | undefined> {
  const name = text.trim().toLowerCase();
  return canBeName(name) ? findSharedName(source, projectId, name) : undefined;
}
