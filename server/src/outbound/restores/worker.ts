import { startWorker, type Watch, type Worker } from '../../platform/kit/worker.ts';
import { askAccounts } from './checks/ask-accounts.ts';
import type { RestoreDeps } from './restore-deps.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 15_000;

/** Asks the accounts of restored workspaces. Any number of processes may run one. */
export function startRestoreWorker(deps: RestoreDeps & Watch): Worker {
  return startWorker({
    runOnce: () => askAccounts(deps, deps.onFailure),
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}
