import { addMs } from '../../platform/kit/instant.ts';
import { startWorker, type Watch, type Worker } from '../../platform/kit/worker.ts';
import { listStuckBatches } from './batches/batch-store.ts';
import { resumeBatch } from './batches/resume-batch.ts';
import { type PayoutDeps, realNow } from './payout-deps.ts';
import { applyOutcomes } from './transfers/apply-outcomes.ts';
import { callProviders } from './transfers/call-provider.ts';
import { listUnapplied } from './transfers/payout-store.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 15_000;
const SLICE = 100;

/** Does the work that payouts wait for; returns how much there was. */
export async function runPayoutsOnce(
  deps: PayoutDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const resumed = await resumeBatches(deps, onFailure);
  const called = await callProviders(deps, onFailure);
  const applied = await applyLeft(deps, onFailure);
  return resumed + called + applied;
}

/** Applies outcomes that were saved by a process that ended before applying them. */
async function applyLeft(deps: PayoutDeps, onFailure: (error: unknown) => void): Promise<number> {
  const left = await listUnapplied(deps.database.reads, realNow(deps), SLICE);
  let applied = 0;
  for (const payout of left) {
    await applyOutcomes(deps, [payout]).then(() => {
      applied += 1;
    }, onFailure);
  }
  return applied;
}

/** Any number of processes may run one. */
export function startPayoutWorker(deps: PayoutDeps & Watch): Worker {
  return startWorker({
    runOnce: () => runPayoutsOnce(deps, deps.onFailure),
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}

/** A move may take longer without being interrupted, but resuming it does no harm. */
const STUCK_MS = 60_000;
const BATCHES_MAX = 20;

/** Resumes moves that a process did not complete; returns how many batches it completed. */
export async function resumeBatches(
  deps: PayoutDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const before = addMs(realNow(deps), -STUCK_MS);
  const stuck = await listStuckBatches(deps.database.reads, before, BATCHES_MAX);
  let resumed = 0;
  for (const batch of stuck) {
    // A batch that cannot be resumed must not block the others.
    await resumeBatch(deps, batch).then(() => {
      resumed += 1;
    }, onFailure);
  }
  return resumed;
}
