import type { Queryable } from '../../../platform/db/driver.ts';
import type { ParticipantRef, ReferralCode } from '../schema.ts';
import { findByRef } from '../store.ts';
import { presentCode, type ShareBase } from './present-sharing.ts';
import { findLatestEnrollment, isHeld, listCodes } from './sharing-store.ts';

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
