import { findSharing } from '../../domain/participants/names/queries.ts';
import { findParticipant, findStarts } from '../../domain/participants/queries.ts';
import type { Participant } from '../../domain/participants/schema.ts';
import { findPartnerNames } from '../../domain/partners/queries.ts';
import { findStory } from '../../domain/tracking/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Permission } from '../../platform/http/access/permissions.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { notFound } from '../../platform/kit/errors.ts';
import type { ParticipantDetail } from './schema.ts';

export interface ViewDeps {
  readonly database: Database;
  readonly baseUrl: string;
}

/** A participant with everything that belongs to it. Fails with NOT_FOUND. */
export async function showParticipant(
  deps: ViewDeps,
  project: Pick<ProjectRef, 'id' | 'projectKey'>,
  participantId: string,
): Promise<ParticipantDetail> {
  const { reads } = deps.database;
  const base = { baseUrl: deps.baseUrl, projectKey: project.projectKey };
  const [participant, sharing, starts, story] = await Promise.all([
    findParticipant(reads, project.id, participantId),
    findSharing(reads, base, project.id, participantId),
    findStarts(reads, project.id, participantId),
    findStory(reads, project.id, participantId),
  ]);
  if (!participant) throw notFound('participant');
  return { participant, ...sharing, startingMeasures: [...starts], ...story };
}

/**
 * Fills in the names of partners: a partner's name is stored once, not in each project. Callers
 * without permission to read partners do not get it.
 */
export async function namePartners<T extends Pick<Participant, 'name' | 'partnerId' | 'deletedAt'>>(
  db: Queryable,
  may: (permission: Permission) => boolean,
  people: readonly T[],
): Promise<T[]> {
  const isNameless = ({ name, deletedAt }: T) => name === null && deletedAt === null;
  const ids = people.flatMap((one) =>
    one.partnerId !== null && isNameless(one) ? [one.partnerId] : [],
  );
  if (ids.length === 0 || !may('partners:read')) return [...people];
  const names = await findPartnerNames(db, ids);
  return people.map((one) =>
    isNameless(one) ? { ...one, name: names.get(one.partnerId ?? '') ?? null } : one,
  );
}
