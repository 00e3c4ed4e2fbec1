import type { Database, Tx } from '../../../platform/db/database.ts';
import { CommitUnknownError } from '../../../platform/db/driver.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { addToClickCounts } from '../store.ts';
import type { ClickCount, ClickCounter } from './click-counter.ts';
import { clickFiguresOf } from './click-figures.ts';

/**
 * Saves what was counted, one transaction per Project. What could not be saved goes back to
 * the counter, unless it may have been saved: rather a few clicks too few than counted twice.
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
