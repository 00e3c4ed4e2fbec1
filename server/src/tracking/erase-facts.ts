import type { ProjectWrite } from '../feed/project-write.ts';
import { blankFacts } from './store.ts';

/** Erases what facts tell of a person; amounts and ids stay, for the books. */
export async function eraseFacts(write: ProjectWrite, participantId: string): Promise<void> {
  blankFacts(write.tx, write.projectId, participantId);
}
