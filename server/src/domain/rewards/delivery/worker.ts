import { DueProjects } from '../../../platform/kit/due-projects.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import { startWorker, type Watch, waitsFor } from '../../../platform/kit/worker.ts';
import { createDeliveryRounds, PROJECTS_MAX } from './deliver-rewards.ts';
import type { RewardDeliveryDeps } from './provider.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 5_000;
/** On a distributed store: how often all Projects are asked for deliveries that this process does not know of. */
const SWEEP_MS = 120_000;
/** When a Project is looked at again whose node did not answer. */
const LOOK_AGAIN_MS = 10_000;

/** Concurrent looks. */
const LOOKS_MAX = 4;

export interface RewardWorker {
  /** Something was written to this Project. */
  note(projectId: string): void;
  /** Something may have been written to any Project. */
  sweep(): void;
  stop(): Promise<void>;
}

/**
 * Delivers due Rewards continuously. Any number of processes may run one. Each Project has its own
 * rounds, so that a slow provider delays no other Project. When stopping, it starts nothing more
 * and finishes the calls in progress.
 */
export function startRewardWorker(deps: RewardDeliveryDeps & Watch): RewardWorker {
  const rounds = createDeliveryRounds(deps, deps.onFailure);
  const limit = createLimit(PROJECTS_MAX);
  const running = new Map<string, Promise<void>>();
  /** On a distributed store: Projects that were written to. */
  const known = new DueProjects();
  const lookSoon = (projectId: string) => {
    if (deps.database.isDistributed()) known.note(projectId, deps.clock.nowMs() + POLL_MS);
  };

  function start(projectId: string, dueBy: Instant, stopping: AbortSignal): void {
    if (running.has(projectId)) {
      lookSoon(projectId);
      return;
    }
    const round = limit(() => rounds.run(projectId, dueBy, stopping)).then((count) => {
      running.delete(projectId);
      if (count === 0) return;
      // There may be more.
      lookSoon(projectId);
      if (!deps.database.isDistributed()) sweeps.poke();
    });
    running.set(projectId, round);
  }

  async function look(projectId: string, stopping: AbortSignal): Promise<void> {
    try {
      const dueBy = await rounds.findDueBy(projectId);
      if (dueBy !== undefined) start(projectId, dueBy, stopping);
    } catch (error) {
      // Its node may be down.
      known.note(projectId, deps.clock.nowMs() + LOOK_AGAIN_MS);
      deps.onFailure(error);
    }
  }

  const sweeps = startWorker({
    async runOnce(stopping) {
      for (const [projectId, dueBy] of await rounds.listDue()) start(projectId, dueBy, stopping);
      return 0;
    },
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }, SWEEP_MS),
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
  const looks = startWorker({
    async runOnce(stopping) {
      const some = createLimit(LOOKS_MAX);
      const due = known.take(deps.clock.nowMs());
      await Promise.all(due.map((projectId) => some(() => look(projectId, stopping))));
      return 0;
    },
    pollMs: POLL_MS,
    pollMaxMs: POLL_MS,
    onFailure: deps.onFailure,
  });
  return {
    note: lookSoon,
    sweep: () => sweeps.poke(),
    async stop() {
      await Promise.all([sweeps.stop(), looks.stop()]);
      await Promise.all(running.values());
    },
  };
}
