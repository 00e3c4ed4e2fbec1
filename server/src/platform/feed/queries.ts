import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { clearTexts, findHead, insertHead } from './store.ts';
import type { ProjectWrite } from './writer/project-write.ts';

/** Clears free text about these Rewards and payouts in past events. */
export function forgetTexts({ tx, projectId }: ProjectWrite, ids: readonly string[]): void {
  if (ids.length > 0) clearTexts(tx, projectId, ids);
}

/** Number of rows of a list: the last number that `ProjectWrite.nextNumber` assigned. */
export async function findListLength(
  db: Queryable,
  projectId: string,
  list: string,
): Promise<number> {
  const head = await findHead(db, projectId);
  return head?.numbers[list] ?? 0;
}

/** Creates the head of a new Project, in the Project's transaction. */
export function openFeed(tx: Tx, projectId: string, now: Instant): Promise<void> {
  return insertHead(tx, projectId, now);
}
