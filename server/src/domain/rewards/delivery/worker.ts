import { createLimit } from '../../../platform/kit/limit.ts';
import { startWorker, type Watch, type Worker } from '../../../platform/kit/worker.ts';
import { createDeliveryRounds, PROJECTS_MAX } from './deliver-rewards.ts';
import type { RewardDeliveryDeps } from './provider.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 5_000;

/**
 * Delivers due Rewards continuously. Any number of processes may run one. Each Project has its own
 * rounds, so that a slow provider delays no other Project. When stopping, it starts nothing more
 * and finishes the calls in progress.
 */
export function startRewardWorker(deps: RewardDeliveryDeps & Watch): Pick<Worker, 'stop'> {
  const rounds = createDeliveryRounds(deps, deps.onFailure);
  const limit = createLimit(PROJECTS_MAX);
  const running = new Map<string, Promise<void>>();

  async function begin(stopping: AbortSignal): Promise<number> {
    for (const [projectId, dueBy] of await rounds.listDue()) {
      if (running.has(projectId)) continue;
      const round = limit(() => rounds.run(projectId, dueBy, stopping)).then((count) => {
        running.delete(projectId);
        // There may be more.
        if (count > 0) worker.poke();
      });
      running.set(projectId, round);
    }
    return 0;
  }

  const worker = startWorker({
    runOnce: begin,
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
  return {
    async stop() {
      await worker.stop();
      await Promise.all(running.values());
    },
  };
}
