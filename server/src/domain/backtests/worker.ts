import { sqlState } from '../../platform/db/database.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { startWorker, type Watch, type Worker, waitsFor } from '../../platform/kit/worker.ts';
import { leaseUntil, type RunDeps, runBacktest } from './run-backtest.ts';
import { claimBacktest, failBacktest, listWaitingProjects } from './store.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 15_000;
const PROJECTS_MAX = 20;
/** A back-test that fails as often is given up. */
const ATTEMPTS_MAX = 3;
const UNIQUE_VIOLATION = '23505';

export interface BacktestDeps extends RunDeps {
  readonly newId: NewId;
}

/** Runs back-tests, one after another; returns how many. */
export async function runBacktestsOnce(
  deps: BacktestDeps & Pick<Watch, 'onFailure'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { database, clock } = deps;
  let run = 0;
  const waiting = await listWaitingProjects(database.reads, toInstant(clock.nowMs()), PROJECTS_MAX);
  for (const projectId of waiting) {
    if (stopping.aborted) break;
    if (await runNext(deps, projectId, stopping)) run += 1;
  }
  return run;
}

async function runNext(
  deps: BacktestDeps & Pick<Watch, 'onFailure'>,
  projectId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const { database, clock } = deps;
  const token = deps.newId('req');
  const now = toInstant(clock.nowMs());
  const row = await claim(deps, { projectId, token, now, until: leaseUntil(clock) });
  if (!row) return false;
  try {
    await runBacktest(deps, row, token, stopping);
  } catch (error) {
    // It is run again once its lease is over: a database that was away comes back.
    deps.onFailure(error);
    if (row.attempts >= ATTEMPTS_MAX) {
      const failure = 'The replay failed. The log of the service has the reason.';
      await database.transaction(async (tx) => {
        failBacktest(tx, projectId, row.id, token, failure, toInstant(clock.nowMs()));
      });
    }
  }
  return true;
}

/** Another process may have claimed one of the same Project at the same time. */
async function claim({ database }: BacktestDeps, asked: Parameters<typeof claimBacktest>[1]) {
  try {
    return await claimBacktest(database.reads, asked);
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

/** Any number of processes may run one. */
export function startBacktestWorker(deps: BacktestDeps & Watch): Worker {
  return startWorker({
    runOnce: (stopping) => runBacktestsOnce(deps, stopping),
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}
