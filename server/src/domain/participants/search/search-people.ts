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
  source: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<Participant[]> {
  return listByBeginning(source, projectId, text, limit);
}

/** Codes and slugs that begin with a text, ignoring case; at most `limit`, exact matches first. */
export async function searchNames(
  source: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<FoundName[]> {
  const name = text.toLowerCase();
  return NAME.test(name) ? listNamesByBeginning(source, projectId, name, limit) : [];
}

export async function findNameById(
  source: Queryable,
  projectId: string,
  id: string,
): Promise<FoundName | undefined> {
  return (await listNamesById(source, projectId, id))[0];
}
