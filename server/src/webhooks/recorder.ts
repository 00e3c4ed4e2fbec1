import { setTimeout as delay } from 'node:timers/promises';
import { ownRequest } from '../http/principal.ts';
import { createLimit } from '../kit/limit.ts';
import type { Finished } from './attempt-delivery.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import { SLOW_MS } from './endpoint-record.ts';
import { type AttemptResult, saveResults } from './save-results.ts';
import { settleGrants } from './settle-grants.ts';

/** As many share a transaction. */
const BATCH_MAX = 500;
/**
 * Results of answers, and of time-outs, which have time: what ends within `gatherMs` is saved
 * together, and a crowd of time-outs does not keep the others from being saved.
 */
const CLASSES = {
  answered: { transactions: 4, gatherMs: 20 },
  timedOut: { transactions: 1, gatherMs: 100 },
} as const;
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
  const saves = {
    answered: createSaver(deps, 'answered'),
    timedOut: createSaver(deps, 'timedOut'),
  };
  return {
    record(projectId, { result, eventId, grantsRewardId, exchangeMs }) {
      if (grantsRewardId === null) {
        const isTimeOut = result.attempt.responseStatus === null && exchangeMs >= SLOW_MS;
        return saves[isTimeOut ? 'timedOut' : 'answered'](projectId, result);
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

type Save = (projectId: string, result: AttemptResult) => Promise<void>;

function createSaver(deps: DispatchDeps, of: keyof typeof CLASSES): Save {
  const { transactions, gatherMs } = CLASSES[of];
  const limit = createLimit(transactions);
  const queues = new Map<string, Waiting[]>();

  async function pump(projectId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < BATCH_MAX) await delay(gatherMs);
      await limit(async () => {
        const batch = queue.splice(0, BATCH_MAX);
        const results = batch.map(({ result }) => result);
        await insist(deps, () =>
          deps.database.transaction(async (tx) => saveResults(tx, projectId, results)),
        );
        for (const { resolve } of batch) resolve();
      });
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
