import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { groupBy } from '../../platform/kit/group-by.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import {
  insertEnrollments,
  listEnrollmentsOf,
  listEnrollmentsOfOwners,
  listNamedCodes,
  type NamedCodeRow,
} from './names/sharing-store.ts';
import type { Enrollment } from './schema.ts';
import { type KnownPerson, listPeople, updateReferredFlags } from './store.ts';

export type { KnownPerson };

/** Codes and links by their names, and whose they are. */
export interface NamedCodes {
  /** What each name stands for, after what it stood for before it was moved; the oldest first. */
  readonly codes: ReadonlyMap<string, readonly NamedCodeRow[]>;
  readonly owners: readonly KnownPerson[];
  /** Every time the owners took part, ended ones included. */
  readonly enrollments: readonly Enrollment[];
}

const NO_CODES: NamedCodes = { codes: new Map(), owners: [], enrollments: [] };

/** Whose codes and links these names are; names that nobody has are left out. */
export async function findNamedCodes(
  source: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<NamedCodes> {
  if (names.length === 0) return NO_CODES;
  const [rows, enrollments] = await Promise.all([
    listNamedCodes(source, projectId, names),
    listEnrollmentsOfOwners(source, projectId, names),
  ]);
  const owners = new Map(rows.map((row) => [row.participantId, { ...row, id: row.participantId }]));
  return {
    codes: groupBy(rows, (row) => row.name),
    owners: [...owners.values()],
    enrollments,
  };
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
