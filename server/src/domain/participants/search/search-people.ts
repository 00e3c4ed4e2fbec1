import type { Queryable } from '../../../platform/db/driver.ts';
import type { Participant } from '../schema.ts';
import {
  type FoundName,
  listByBeginning,
  listNamesByBeginning,
  listNamesById,
} from './search-store.ts';

export type { FoundName };

/** Format of names; anything else needs no lookup. */
const NAME = /^[a-z0-9-]{1,50}$/;

/** Participants whose external id begins with a text; at most `limit`, exact matches first. */
export function searchParticipants(
  db: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<Participant[]> {
  return listByBeginning(db, projectId, text, limit);
}

/** Codes and slugs that begin with a text, ignoring case; at most `limit`, exact matches first. */
export async function searchNames(
  db: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<FoundName[]> {
  const name = text.toLowerCase();
  return NAME.test(name) ? listNamesByBeginning(db, projectId, name, limit) : [];
}

export async function findNameById(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<FoundName | undefined> {
  return (await listNamesById(db, projectId, id))[0];
}
