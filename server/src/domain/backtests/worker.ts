import { getHeapStatistics } from 'node:v8';
import { sqlState } from '../../platform/db/database.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { startWorker, type Watch, type Worker, waitsFor } from '../../platform/kit/worker.ts';
import { Pace } from './pace.ts';
import { leaseUntil, type RunDeps, runBacktest } from './run-backtest.ts';
import { type BacktestRow, claimBacktest, failBacktest, listWaitingProjects } from './store.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 15_000;
const PROJECTS_MAX = 20;
/** Back-tests of as many Projects run at the same time in a process. */
const SIDE_BY_SIDE = 4;
/** A back-test that fails as often is given up. */
const ATTEMPTS_MAX = 3;
const UNIQUE_VIOLATION = '23505';

export interface BacktestDeps extends RunDeps {
  readonly newId: NewId;
}

interface Claimed {
  readonly row: BacktestRow;
  readonly token: string;
}

/** Runs the next back-test of any Project to its end; returns how many that were. */
export async function runBacktestsOnce(
  deps: BacktestDeps & Pick<Watch, 'onFailure'>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> {
  const next = await claimNext(deps);
  if (!next) return 0;
  await runClaimed(deps, next, stopping);
  return 1;
}

async function claimNext(deps: BacktestDeps): Promise<Claimed | undefined> {
  const { database, clock } = deps;
  const now = toInstant(clock.nowMs());
  for (const projectId of await listWaitingProjects(database.reads, now, PROJECTS_MAX)) {
    const token = deps.newId('req');
    const row = await claim(deps, { projectId, token, now, until: leaseUntil(clock) });
    if (row) return { row, token };
  }
  return undefined;
}

async function runClaimed(
  deps: BacktestDeps & Pick<Watch, 'onFailure'>,
  { row, token }: Claimed,
  stopping: AbortSignal,
): Promise<void> {
  const { database, clock } = deps;
  try {
    await runBacktest(deps, row, token, stopping);
  } catch (error) {
    // It is run again once its lease is over: a database that was away comes back.
    deps.onFailure(error);
    if (row.attempts >= ATTEMPTS_MAX) {
      const failure = 'The replay failed. The log of the service has the reason.';
      await database.transaction(async (tx) => {
        failBacktest(tx, row.projectId, row.id, token, failure, toInstant(clock.nowMs()));
      });
    }
  }
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

/**
 * Any number of processes may run one. It runs the back-tests of several Projects side by side, which take turns: a short
 * one does not wait for the end of a long one.
 */
export function startBacktestWorker(deps: Omit<BacktestDeps, 'pace'> & Watch): Worker {
  const all = { ...deps, pace: new Pace({ readsBlock: deps.database.kind === 'embedded' }) };
  const running = new Set<Promise<void>>();
  const worker = startWorker({
    async runOnce(stopping) {
      if (stopping.aborted || !hasRoom(running.size)) return 0;
      const next = await claimNext(all);
      if (!next) return 0;
      const run = runClaimed(all, next, stopping)
        .catch(deps.onFailure)
        .finally(() => {
          running.delete(run);
          worker.poke();
        });
      running.add(run);
      return 1;
    },
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
  return {
    ...worker,
    async stop() {
      await worker.stop();
      await Promise.all(running);
    },
  };
}

/** A back-test keeps the people of its Project in memory, so another begins only while half of the memory is free. */
function hasRoom(running: number): boolean {
  if (running === 0) return true;
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return running < SIDE_BY_SIDE && used < limit / 2;
}
