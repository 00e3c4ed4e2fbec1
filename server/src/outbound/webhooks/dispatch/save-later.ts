import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptResult } from './save-results.ts';

/** Saves results of several projects. */
export type Persist = (
  batch: readonly (readonly [projectId: string, results: readonly AttemptResult[]])[],
) => Promise<void>;

/** Resolves when the result is saved, or cannot be. */
export type Save = (projectId: string, result: AttemptResult) => Promise<void>;

export interface Waiting {
  readonly result: AttemptResult;
  resolve(): void;
}

/** Results within this time are saved together; it also gives the database a pause. */
const GATHER_MS = 100;
/**
 * Maximum of results per transaction, and of their projects: each one blocks the process for a
 * moment.
 */
const BATCH_MAX = 500;
const PROJECTS = 20;
/**
 * A transaction covers more projects if saving would take more transactions than this: results must
 * be saved within their lease.
 */
const TRANSACTIONS = 8;

/**
 * For endpoints that do not answer or fail: one transaction at a time for all projects. A thousand
 * simultaneous timeouts cost a few transactions, far apart, instead of one per project.
 */
export function createLaterSaver(persist: Persist, gatherMs = GATHER_MS): Save {
  const queues = new Map<string, Waiting[]>();
  let isRunning = false;

  function takeBatch(): [string, Waiting[]][] {
    const batch: [string, Waiting[]][] = [];
    let room = BATCH_MAX;
    const most = Math.max(PROJECTS, Math.ceil(queues.size / TRANSACTIONS));
    for (const [projectId, queue] of queues) {
      if (room === 0 || batch.length === most) break;
      const taken = queue.splice(0, room);
      room -= taken.length;
      batch.push([projectId, taken]);
      if (queue.length === 0) queues.delete(projectId);
    }
    return batch;
  }

  async function run(): Promise<void> {
    while (queues.size > 0) {
      await delay(gatherMs);
      const batch = takeBatch();
      await persist(
        batch.map(([projectId, some]) => [projectId, some.map(({ result }) => result)]),
      );
      for (const { resolve } of batch.flatMap(([, some]) => some)) resolve();
    }
    isRunning = false;
  }

  return (projectId, result) =>
    new Promise((resolve) => {
      const queue = queues.get(projectId) ?? [];
      queue.push({ result, resolve });
      queues.set(projectId, queue);
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}
