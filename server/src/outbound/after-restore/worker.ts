import { watchRestores } from '../../accounts/workspaces/payment-hold/recognise-restore.ts';
import { startWorker, type Watch, type Worker } from '../../platform/kit/worker.ts';
import { realNow } from '../payouts/payout-deps.ts';
import { askAccounts } from './checks/ask-accounts.ts';
import type { RestoreDeps } from './restore-deps.ts';

const POLL_MS = 1_000;
const POLL_MAX_MS = 15_000;

/**
 * Notes where the store is, and asks the accounts of restored workspaces. Any number of processes
 * may run one. `dataDir` is null on PostgreSQL.
 */
export function startRestoreWorker(
  deps: RestoreDeps & Watch & { readonly dataDir: string | null },
): Worker {
  return startWorker({
    async runOnce() {
      await watchRestores(deps, realNow(deps));
      return askAccounts(deps, deps.onFailure);
    },
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}
