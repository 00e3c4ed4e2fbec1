import { findBilled } from '../../../domain/participants/queries.ts';
import { foldText } from '../../../domain/participants/search-keys.ts';
import {
  searchExternalIds,
  searchNames,
  searchPeople,
} from '../../../domain/participants/search-queries.ts';
import { findEventsBySource } from '../../../domain/tracking/read/event-queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Permission } from '../../../platform/http/access/permissions.ts';
import {
  isAllowed,
  type Principal,
  type ProjectRef,
} from '../../../platform/http/access/principal.ts';
import { nameParticipants } from '../name-participants.ts';
import type { Found as FoundOut } from '../schema.ts';
import {
  type Found,
  findById,
  foundEvent,
  foundName,
  foundParticipant,
  prefixOf,
} from './find-by-id.ts';
import { takeTurns } from './take-turns.ts';

const FOUND_MAX = 20;

type May = (permission: Permission) => boolean;

/**
 * What a text may refer to, most likely first: exact ids and names, then names elsewhere, then
 * prefixes of names. Looks up keys only, so the cost does not depend on the amount of data. Objects
 * that the caller may not read are not found.
 */
export async function search(
  db: Queryable,
  { id: projectId, workspaceId }: ProjectRef,
  principal: Principal,
  q: string,
): Promise<FoundOut[]> {
  const may = (permission: Permission) => isAllowed(principal, permission, workspaceId);
  const found = await find(db, projectId, may, q.trim());
  const people = await nameParticipants(
    db,
    projectId,
    may,
    found.flatMap(({ participantId }) => participantId ?? []),
  );
  return found.map((one) => ({
    ...one,
    participant: people.get(one.participantId ?? '') ?? null,
  }));
}

async function find(db: Queryable, projectId: string, may: May, text: string): Promise<Found[]> {
  // The prefix of an id says what it identifies.
  if (prefixOf(text) !== undefined) {
    const found = await findById(db, projectId, may, text);
    if (found) return [found];
  }
  const folded = foldText(text);
  // Names are ASCII; full-width letters and digits are typed for them in some languages.
  const plain = text.normalize('NFKC');
  const [people, called, names, billed, events] = await Promise.all([
    searchExternalIds(db, projectId, text, FOUND_MAX),
    searchPeople(db, projectId, folded, {
      withPartners: may('partners:read'),
      limit: FOUND_MAX,
    }),
    searchNames(db, projectId, plain, FOUND_MAX),
    findBilled(db, projectId, text),
    may('referrals:read') ? findEventsBySource(db, projectId, text) : [],
  ]);
  const isPerson = ({ externalId }: { externalId: string | null }) => externalId === text;
  const isName = ({ name }: { name: string }) => name === plain.toLowerCase();
  return unique([
    ...people.filter(isPerson).map(foundParticipant),
    ...names.filter(isName).map(foundName),
    ...(billed ? [foundParticipant(billed)] : []),
    ...events.map(foundEvent),
    ...called.filter(({ key }) => key === folded).map(foundParticipant),
    ...takeTurns([
      people.map(foundParticipant),
      called.map(foundParticipant),
      names.map(foundName),
    ]),
  ]).slice(0, FOUND_MAX);
}

function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
}
