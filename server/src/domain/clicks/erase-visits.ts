import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { blankVisitsOf } from './store.ts';

/**
 * Erases which pages a participant came through. Runs while their handles still name them,
 * that is, ahead of the eraser that unlinks these.
 */
export async function eraseVisits(write: ProjectWrite, participantId: string): Promise<void> {
  blankVisitsOf(write.tx, write.projectId, participantId, write.now);
}
