import type { Queryable } from '../../platform/db/driver.ts';
import { groupBy } from '../../platform/kit/group-by.ts';
import {
  listEnrollmentsOf,
  listEnrollmentsOfOwners,
  listNamedCodes,
  type NamedCodeRow,
} from './names/sharing-store.ts';
import type { KnownPerson } from './participant-slice.ts';
import type { Enrollment } from './schema.ts';
import { listPeople } from './store.ts';

/** Codes and links by name, with their owners. */
export interface NamedCodes {
  /** The current holder of each name and the former ones from before it was moved; oldest first. */
  readonly codes: ReadonlyMap<string, readonly NamedCodeRow[]>;
  readonly owners: readonly KnownPerson[];
  /** All enrollments of the owners, including ended ones. */
  readonly enrollments: readonly Enrollment[];
}

const NO_CODES: NamedCodes = { codes: new Map(), owners: [], enrollments: [] };

/** The codes and links of these names, with their owners; unknown names are omitted. */
export async function findNamedCodes(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<NamedCodes> {
  if (names.length === 0) return NO_CODES;
  const [rows, enrollments] = await Promise.all([
    listNamedCodes(db, projectId, names),
    listEnrollmentsOfOwners(db, projectId, names),
  ]);
  const owners = new Map(rows.map((row) => [row.participantId, { ...row, id: row.participantId }]));
  return {
    codes: groupBy(rows, (row) => row.name),
    owners: [...owners.values()],
    enrollments,
  };
}

/** All enrollments of these people, including ended ones. */
export function findEnrollments(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<Enrollment[]> {
  return listEnrollmentsOf(db, projectId, [...new Set(participantIds)]);
}

export function findPeople(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<KnownPerson[]> {
  return listPeople(db, projectId, [...new Set(participantIds)]);
}
