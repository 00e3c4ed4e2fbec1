import type { Queryable } from '../db/driver.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import { clearVoidReasons, listVoidReasons } from './store.ts';

/**
 * The Rewards whose void says, in free text, something that may be about this participant: their
 * own, and those that events about them brought to others.
 */
export function findReasonsAbout(
  source: Queryable,
  projectId: string,
  participantId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  return listVoidReasons(source, projectId, participantId, eventIds);
}

/** Clears at most so many of these texts; reason codes stay. Returns whose they were. */
export function eraseReasons(
  { tx, projectId }: ProjectWrite,
  participantId: string,
  eventIds: readonly string[],
  limit: number,
): Promise<string[]> {
  return clearVoidReasons(tx, projectId, participantId, eventIds, limit);
}
