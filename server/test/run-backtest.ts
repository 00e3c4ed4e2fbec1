import { Pace } from '../src/domain/backtests/pace.ts';
import { runBacktestsOnce } from '../src/domain/backtests/worker.ts';
import { listAccounts } from '../src/outbound/payouts/details/account-queries.ts';
import { createKeyring } from '../src/platform/kit/keyring.ts';
import { ROOT_KEY, type TestService } from './harness.ts';

/** Runs the next back-test that waits; returns how many that were. A failure is thrown. */
export function runBacktest({ database, clock, built }: TestService): Promise<number> {
  return runBacktestsOnce({
    database,
    clock,
    newId: built.newId,
    keyring: createKeyring(ROOT_KEY),
    listAccounts,
    pace: new Pace({ readsBlock: database.kind === 'embedded' }),
    onFailure: (error) => {
      throw error;
    },
  });
}
