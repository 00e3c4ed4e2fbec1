import { deleteKeptAnswersOf } from '../store.ts';
import type { ProjectWrite } from './project-write.ts';

/** Erases the answers kept for Idempotency-Keys that hold data of this participant. */
export async function forgetAnswers(write: ProjectWrite, participantId: string): Promise<void> {
  deleteKeptAnswersOf(write.tx, write.projectId, participantId);
}
