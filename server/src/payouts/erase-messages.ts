import type { Queryable } from '../db/driver.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import { clearFailureMessages, listFailureMessages } from './part-store.ts';

/** The payouts of this participant of which somebody, or a provider, said in words why they failed. */
export function findMessagesAbout(
  source: Queryable,
  projectId: string,
  participantId: string,
): Promise<string[]> {
  return listFailureMessages(source, projectId, participantId);
}

/** Clears at most so many of these texts; failure reasons stay. Returns whose they were. */
export function eraseMessages(
  { tx, projectId }: ProjectWrite,
  participantId: string,
  limit: number,
): Promise<string[]> {
  return clearFailureMessages(tx, projectId, participantId, limit);
}
