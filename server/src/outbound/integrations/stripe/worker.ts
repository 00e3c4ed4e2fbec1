import { toInstant } from '../../../platform/kit/instant.ts';
import { startWorker, type Watch, type Worker, waitsFor } from '../../../platform/kit/worker.ts';
import { listDueProjects } from './events/event-store.ts';
import { settleParked } from './parked/settle-parked.ts';
import type { StripeDeps } from './stripe-deps.ts';

const SLICE = 100;
const POLL_MS = 1_000;
const POLL_MAX_MS = 30_000;

/** Handles due parked events of all projects. Returns the count. */
export async function settleParkedOnce(deps: StripeDeps): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  let settled = 0;
  for (const projectId of await listDueProjects(deps.database.reads, now, SLICE)) {
    settled += await settleParked(deps, projectId, SLICE);
  }
  return settled;
}

/** Any number of processes may run one: each event is handled under the project's lock. */
export function startStripeWorker(deps: StripeDeps & Pick<Watch, 'onRun'>): Worker {
  return startWorker({
    runOnce: () => settleParkedOnce(deps),
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: (error) => deps.onFailure(error, ''),
    onRun: deps.onRun,
  });
}
