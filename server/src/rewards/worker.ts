import { startWorker, type Worker } from '../kit/worker.ts';
import { makeDeliverRewards } from './deliver-rewards.ts';
import type { RewardDeliveryDeps } from './delivery-deps.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 5_000;

/** Delivers what is due, for ever. Any number of processes may run one. */
export function startRewardWorker(
  deps: RewardDeliveryDeps & { readonly onFailure: (error: unknown) => void },
): Worker {
  return startWorker({
    runOnce: makeDeliverRewards(deps, deps.onFailure),
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: deps.onFailure,
  });
}
