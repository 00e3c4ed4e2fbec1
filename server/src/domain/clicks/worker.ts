import type { Database } from '../../platform/db/database.ts';
import { startWorker, type Watch, type Worker } from '../../platform/kit/worker.ts';
import type { ClickCounter } from './links/click-counter.ts';
import { flushClicks } from './links/flush-clicks.ts';

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
