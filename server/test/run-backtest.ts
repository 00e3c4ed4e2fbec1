import { Pace } from '../src/domain/backtests/pace.ts';
import { runBacktestsOnce } from '../src/domain/backtests/worker.ts';
import type { TestService } from './harness.ts';

/** Runs the next back-test that waits; returns how many that were. A failure is thrown. */
export function runBacktest({ database, clock, built }: TestService): Promise<number> {
  return runBacktestsOnce({
    database,
    clock,
    newId: built.newId,
    pace: new Pace({ readsBlock: database.kind === 'embedded' }),
    onFailure: (error) => {
      throw error;
    },
  });
}
