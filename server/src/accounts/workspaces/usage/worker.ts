import type { Database } from '../../../platform/db/database.ts';
import { startWorker, type Watch, type Worker } from '../../../platform/kit/worker.ts';
import { saveFirstUses, saveKeyUse } from '../store.ts';
import type { UsageLog } from './usage-log.ts';

const FLUSH_MS = 3_000;

/**
 * Saves what this process saw being used every few seconds, and once more when it stops. Every process
 * needs one, and stops it after its last request.
 */
export function startUsageWorker(
  deps: { readonly database: Database; readonly usage: UsageLog } & Watch,
): Worker {
  // Always reports that no work is left, so that a busy process pauses between flushes.
  const runOnce = async () => {
    await flushUsage(deps.database, deps.usage);
    return 0;
  };
  const { onFailure, onRun } = deps;
  const worker = startWorker({
    runOnce,
    pollMs: FLUSH_MS,
    pollMaxMs: FLUSH_MS,
    onFailure,
    onRun,
  });
  return {
    ...worker,
    async stop() {
      await worker.stop();
      await runOnce().catch(onFailure);
    },
  };
}

/** One row at a time, so that no two processes wait for each other. Saving it twice changes nothing. */
export async function flushUsage(database: Database, usage: UsageLog): Promise<void> {
  const { keys, projects } = usage.take();
  const left = { keys: new Map(keys), projects: new Map(projects) };
  try {
    for (const [keyId, at] of keys) {
      await database.transaction(async (tx) => saveKeyUse(tx, keyId, at));
      left.keys.delete(keyId);
    }
    for (const [projectId, uses] of projects) {
      await database.transaction(async (tx) => saveFirstUses(tx, projectId, uses));
      left.projects.delete(projectId);
    }
  } catch (error) {
    usage.giveBack(left);
    throw error;
  }
}
