import type { Database, Tx } from '../../platform/db/database.ts';
import { CommitUnknownError } from '../../platform/db/driver.ts';
import { saveFigures } from '../../platform/figures/figures.ts';
import { startWorker, type Watch, type Worker } from '../../platform/kit/worker.ts';
import { type ClickCount, type ClickCounter, clickFiguresOf } from './links/click-counter.ts';
import { addToClickCounts } from './store.ts';

const FLUSH_MS = 3_000;

/**
 * Saves this process's counted clicks every few seconds, and once more when it stops. Every process
 * that serves links needs one, and stops it after its last request.
 */
export function startClickWorker(deps: {
  readonly database: Database;
  readonly counter: ClickCounter;
  readonly onFailure: (error: unknown) => void;
  readonly onRun?: Watch['onRun'];
}): Worker {
  // Always reports that no work is left, so that a busy process pauses between flushes.
  const runOnce = async () => {
    await flushClicks(deps.database, deps.counter);
    return 0;
  };
  const worker = startWorker({
    runOnce,
    pollMs: FLUSH_MS,
    pollMaxMs: FLUSH_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
  return {
    ...worker,
    async stop() {
      await worker.stop();
      await runOnce().catch(deps.onFailure);
    },
  };
}

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
