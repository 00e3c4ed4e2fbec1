import type { Database } from '../db/database.ts';
import { clearTexts } from './store.ts';

const SLICE = 500;

/**
 * Clears what past events say in free text about these Rewards and payouts. Walks through the feed
 * of the Project in short transactions that take no head: events change for nothing else.
 */
export async function forgetTexts(
  database: Database,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  let place = ids.length === 0 ? undefined : 0;
  while (place !== undefined) {
    const after: number = place;
    place = await database.transaction((tx) => clearTexts(tx, projectId, ids, after, SLICE));
  }
}
