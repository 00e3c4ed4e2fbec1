import { setTimeout as delay } from 'node:timers/promises';
import { ownRequest } from '../http/principal.ts';
import { createLimit } from '../kit/limit.ts';
import type { Finished } from './attempt-delivery.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import { type AttemptResult, saveResults } from './save-results.ts';
import { settleGrants } from './settle-grants.ts';

/** As many share a transaction. */
const BATCH_MAX = 500;
const TRANSACTIONS_MAX = 4;
/** What ends within this time is written down together. */
const GATHER_MS = 20;
/** A database that is away for longer has the deliveries sent again: their leases run out. */
const TRIES_MAX = 20;
const TRY_AGAIN_MS = 1_000;

export interface Recorder {
  /** Resolves when the attempt is written down, or cannot be. */
  record(projectId: string, finished: Finished): Promise<void>;
}

interface Waiting {
  readonly result: AttemptResult;
  resolve(): void;
}

/**
 * Writes down what came of attempts. Those of a Project that end while a transaction runs share
 * the next one. An answer that grants a Reward goes through the Project's writer; no other takes
 * the Project's head.
 */
export function createRecorder(deps: DispatchDeps): Recorder {
  const limit = createLimit(TRANSACTIONS_MAX);
  const queues = new Map<string, Waiting[]>();

  async function insist(save: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await save();
        return;
      } catch (error) {
        deps.onFailure(error);
        if (tries === TRIES_MAX) return;
        await delay(TRY_AGAIN_MS);
      }
    }
  }

  async function pump(projectId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < BATCH_MAX) await delay(GATHER_MS);
      await limit(async () => {
        const batch = queue.splice(0, BATCH_MAX);
        const results = batch.map(({ result }) => result);
        await insist(() =>
          deps.database.transaction(async (tx) => saveResults(tx, projectId, results)),
        );
        for (const { resolve } of batch) resolve();
      });
    }
    queues.delete(projectId);
  }

  function save(projectId: string, result: AttemptResult): Promise<void> {
    return new Promise((resolve) => {
      const known = queues.get(projectId);
      if (known) {
        known.push({ result, resolve });
        return;
      }
      const queue = [{ result, resolve }];
      queues.set(projectId, queue);
      void pump(projectId, queue);
    });
  }

  return {
    record(projectId, { result, eventId, grantsRewardId }) {
      if (grantsRewardId === null) return save(projectId, result);
      const grant = { rewardId: grantsRewardId, eventId, result };
      return insist(() =>
        deps.writer.submit(
          settleGrants,
          ownRequest(projectId, 'webhooks', deps.newId('req')),
          grant,
        ),
      );
    },
  };
}
