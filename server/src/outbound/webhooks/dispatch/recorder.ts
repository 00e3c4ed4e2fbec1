import { setTimeout as delay } from 'node:timers/promises';
import { ownRequest } from '../../../platform/http/access/principal.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import type { Finished } from './attempt-delivery.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import { createLaterSaver, type Persist, type Save, type Waiting } from './save-later.ts';
import { saveResults, settleGrants } from './save-results.ts';

/** Maximum of results per transaction. */
const BATCH_MAX = 500;
/** Results within this time are saved together. */
const GATHER_MS = 20;
/** Concurrent transactions. */
const TRANSACTIONS_MAX = 4;
/** If the database is unavailable for longer, leases expire and the deliveries are sent again. */
const TRIES_MAX = 20;
const TRY_AGAIN_MS = 1_000;

export interface Recorder {
  /**
   * Resolves when the attempt is saved, or cannot be. `isUrgent`: its endpoint answers, and more
   * can be sent to it.
   */
  record(projectId: string, finished: Finished, isUrgent: boolean): Promise<void>;
}

/**
 * Saves the results of attempts. Results of a project that arrive while a transaction runs share
 * the next one. Results that are not urgent are saved separately. A response that grants a reward
 * goes through the project's writer; no other result locks the project's head.
 */
export function createRecorder(deps: DispatchDeps): Recorder {
  const persist: Persist = (batch) =>
    deps.database.transaction(async (tx) => {
      for (const [projectId, results] of batch) saveResults(tx, projectId, results);
    });
  const limit = createLimit(TRANSACTIONS_MAX);
  // A slot for each try: while one waits for its node, others are saved.
  const persistOne: Persist = (batch) => insist(deps, () => limit(() => persist(batch)));
  const save = createSaver(persistOne);
  const saveLater = createLaterSaver(async (batch) => {
    try {
      await persist(batch);
    } catch (error) {
      deps.onFailure(error);
      // One by one: a result that cannot be saved must not block the others.
      await Promise.all(batch.map((one) => persistOne([one])));
    }
  });
  return {
    record(projectId, { result, eventId, grantsRewardId }, isUrgent) {
      if (grantsRewardId === null) {
        // On a distributed store the projects may be on several nodes, which one transaction must not span.
        const isOwn = isUrgent || deps.database.isDistributed();
        return (isOwn ? save : saveLater)(projectId, result);
      }
      const grant = { rewardId: grantsRewardId, eventId, result };
      return insist(deps, () =>
        deps.writer.submit(
          settleGrants,
          ownRequest(projectId, 'webhooks', deps.newId('req')),
          grant,
        ),
      );
    },
  };
}

async function insist(deps: DispatchDeps, save: () => Promise<unknown>): Promise<void> {
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

function createSaver(persist: Persist): Save {
  const queues = new Map<string, Waiting[]>();

  async function pump(projectId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < BATCH_MAX) await delay(GATHER_MS);
      const batch = queue.splice(0, BATCH_MAX);
      await persist([[projectId, batch.map(({ result }) => result)]]);
      for (const { resolve } of batch) resolve();
    }
    queues.delete(projectId);
  }

  return (projectId, result) =>
    new Promise((resolve) => {
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
