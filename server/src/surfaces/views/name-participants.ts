import { findParticipants } from '../../domain/participants/queries.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Permission } from '../../platform/http/access/permissions.ts';
import type { NamedParticipant } from './schema.ts';
import { namePartners } from './show-participant.ts';

/**
 * What identifies these participants to people, by id; unknown ids are left out. Takes two statements at most,
 * however many there are.
 */
export async function nameParticipants(
  db: Queryable,
  projectId: string,
  may: (permission: Permission) => boolean,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedParticipant>> {
  const found = await findParticipants(db, projectId, ids);
  const people = await namePartners(db, may, [...found.values()]);
  return new Map(
    people.map(({ id, kind, externalId, name, partnerId, deletedAt }) => [
      id,
      { participantId: id, kind, externalId, name, partnerId, deletedAt },
    ]),
  );
}
