import type { Database } from '../db/database.ts';
import type { ProjectRef } from '../http/principal.ts';
import { notFound } from '../kit/errors.ts';
import { findParticipant, findSharing } from '../participants/find-participant.ts';
import { findStory } from '../tracking/find-story.ts';
import type { ParticipantDetail } from './schema.ts';

export interface ViewDeps {
  readonly database: Database;
  readonly baseUrl: string;
}

/** A participant with all that hangs on it. Ends with NOT_FOUND. */
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
