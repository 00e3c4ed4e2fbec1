import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import type { Enrollment } from './schema.ts';
import {
  insertEnrollments,
  type KnownPerson,
  listEnrollmentsOf,
  listNamedCodes,
  listPeople,
  type NamedCodeRow,
  updateReferredFlags,
} from './store.ts';

export type { KnownPerson };

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
): Promise<KnownPerson[]> {
  return listPeople(source, projectId, [...new Set(participantIds)]);
}

export function saveEnrollments(
  tx: Tx,
  projectId: string,
  rows: readonly { id: string; participantId: string; programId: string; startsAt: Instant }[],
): void {
  if (rows.length > 0) insertEnrollments(tx, projectId, rows);
}

/** Who is a side of a referral. */
export interface Sides {
  readonly referrers: ReadonlySet<string>;
  readonly referees: ReadonlySet<string>;
}

/** Notes on participants who were there before that they are a side of a referral now. */
export function markReferred(tx: Tx, projectId: string, sides: Sides): void {
  if (sides.referrers.size + sides.referees.size === 0) return;
  updateReferredFlags(tx, projectId, [...sides.referrers], [...sides.referees]);
}
