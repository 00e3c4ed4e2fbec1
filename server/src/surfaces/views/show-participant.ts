import { findParticipant, findSharing } from '../../domain/participants/find-participant.ts';
import { findStory } from '../../domain/tracking/queries.ts';
import type { Database } from '../../platform/db/database.ts';
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
  const [participant, sharing, story] = await Promise.all([
    findParticipant(reads, project.id, participantId),
    findSharing(reads, base, project.id, participantId),
    findStory(reads, project.id, participantId),
  ]);
  if (!participant) throw notFound('participant');
  return { participant, ...sharing, ...story };
}
