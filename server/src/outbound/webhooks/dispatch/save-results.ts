import type { Tx } from '../../../platform/db/database.ts';
import type { Attempt } from '../deliveries/delivery.ts';
import { type DueAgain, deleteFinished, updateDueAgain } from '../queue/queue-store.ts';
import { insertAttempts } from './attempt-store.ts';
import type { Outcome } from './decide-outcome.ts';

/** What one attempt left: its place in the history, and what becomes of the delivery. */
export interface AttemptResult {
  readonly queueId: string;
  readonly leaseId: string;
  /** Made so far, this one included. */
  readonly attempts: number;
  readonly attempt: Attempt;
  readonly outcome: Outcome;
}

/** Saves attempts of one Project. Saving one a second time changes nothing. */
export function saveResults(tx: Tx, projectId: string, results: readonly AttemptResult[]): void {
  insertAttempts(
    tx,
    projectId,
    results.map(({ attempt }) => attempt),
  );
  const leased = results.map(({ queueId, leaseId, attempts, attempt, outcome }) => ({
    queueId,
    leaseId,
    attempts,
    outcome,
    position: attempt.position,
  }));
  const ended = leased.filter(({ outcome }) => outcome.outcome !== 'retrying');
  const again = leased.flatMap(({ outcome, ...one }): DueAgain[] =>
    outcome.outcome === 'retrying' ? [{ ...one, dueAt: outcome.dueAt }] : [],
  );
  if (ended.length > 0) deleteFinished(tx, projectId, ended);
  if (again.length > 0) updateDueAgain(tx, projectId, again);
}
