import type { Queryable } from '../../../platform/db/driver.ts';
import type { Participant } from '../schema.ts';
import {
  type FoundName,
  listByBeginning,
  listNamesByBeginning,
  listNamesById,
} from './search-store.ts';

export type { FoundName };

/** Names are made of these; anything else need not be looked up. */
const NAME = /^[a-z0-9-]{1,50}$/;

/** Participants whose own id begins with a text; at most `limit`, the whole before the longer. */
export function searchParticipants(
  source: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<Participant[]> {
  return listByBeginning(source, projectId, text, limit);
}

/** Codes and slugs that begin with a text, whatever its case; likewise. */
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
