import { clearTexts } from './store.ts';
import type { ProjectWrite } from './writer/project-write.ts';

/** Clears what past events say in free text about these Rewards and payouts. */
export function forgetTexts({ tx, projectId }: ProjectWrite, ids: readonly string[]): void {
  if (ids.length > 0) clearTexts(tx, projectId, ids);
}
