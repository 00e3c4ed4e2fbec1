import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { clearTexts, findHead, insertHead } from './store.ts';
import type { ProjectWrite } from './writer/project-write.ts';

/** Clears what past events say in free text about these Rewards and payouts. */
export function forgetTexts({ tx, projectId }: ProjectWrite, ids: readonly string[]): void {
  if (ids.length > 0) clearTexts(tx, projectId, ids);
}

/** How many rows a list has: the last number that `ProjectWrite.nextNumber` gave out for it. */
export async function findListLength(
  source: Queryable,
  projectId: string,
  list: string,
): Promise<number> {
  const head = await findHead(source, projectId);
  return head?.numbers[list] ?? 0;
}

/** Gives a new Project its head, in the transaction that makes it. */
export function openFeed(tx: Tx, projectId: string, now: Instant): Promise<void> {
  return insertHead(tx, projectId, now);
}
