import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import type { Enrollment, Participant } from './schema.ts';
import {
  insertEnrollments,
  listEnrollmentsOf,
  listNamedCodes,
  listParticipantsById,
  type NamedCodeRow,
  updateReferredFlags,
} from './store.ts';

/** Whose codes and links these names are; names that nobody has are left out. */
export async function findNamedCodes(
  source: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, NamedCodeRow>> {
  if (names.length === 0) return new Map();
  const rows = await listNamedCodes(source, projectId, [...new Set(names)]);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Every time these people took part, ended ones included. */
export function findEnrollments(
  source: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<Enrollment[]> {
  return listEnrollmentsOf(source, projectId, [...new Set(participantIds)]);
}

export function findPeople(
  source: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<Participant[]> {
  return listParticipantsById(source, projectId, [...new Set(participantIds)]);
}

export function saveEnrollments(
  tx: Tx,
  projectId: string,
  rows: readonly { id: string; participantId: string; programId: string; startsAt: Instant }[],
): void {
  if (rows.length > 0) insertEnrollments(tx, projectId, rows);
}

/** Notes on both sides of new referrals that they are one. */
export function markReferred(
  tx: Tx,
  projectId: string,
  referrals: readonly { referrerParticipantId: string; refereeParticipantId: string }[],
): void {
  if (referrals.length === 0) return;
  updateReferredFlags(
    tx,
    projectId,
    referrals.map((referral) => referral.referrerParticipantId),
    referrals.map((referral) => referral.refereeParticipantId),
  );
}
