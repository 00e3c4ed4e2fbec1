import type { Database, Tx } from '../../../platform/db/database.ts';
import { CommitUnknownError } from '../../../platform/db/driver.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { addToClickCounts } from '../store.ts';
import type { ClickCount, ClickCounter } from './click-counter.ts';
import { clickFiguresOf } from './click-figures.ts';

/**
 * Saves the counts, one transaction per Project. Counts that could not be saved return to the
 * counter, unless they may have been saved: losing a few clicks is better than counting them twice.
 */
export async function flushClicks(database: Database, counter: ClickCounter): Promise<void> {
  const failures: unknown[] = [];
  for (const [projectId, counts] of counter.take()) {
    try {
      await database.transaction(async (tx) => save(tx, projectId, counts));
    } catch (error) {
      failures.push(error);
      if (error instanceof CommitUnknownError) continue;
      for (const count of counts) counter.add(count);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function save(tx: Tx, projectId: string, counts: readonly ClickCount[]): void {
  addToClickCounts(tx, projectId, counts);
  saveFigures(tx, projectId, clickFiguresOf(counts));
}
