import type { Queryable } from '../db/driver.ts';
import { findHead } from './store.ts';

/** How many rows a list has: the last number that `ProjectWrite.nextNumber` gave out for it. */
export async function findListLength(
  source: Queryable,
  projectId: string,
  list: string,
): Promise<number> {
  const head = await findHead(source, projectId);
  return head?.numbers[list] ?? 0;
}
