import type { Queryable } from '../db/driver.ts';
import { listEventIdsAbout } from './store.ts';

/** The events that a participant did, or that they did for a group. */
export function findEventIdsAbout(
  source: Queryable,
  projectId: string,
  participantId: string,
): Promise<string[]> {
  return listEventIdsAbout(source, projectId, participantId);
}
