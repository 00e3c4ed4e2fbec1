import { grantAnswered } from '../../../domain/rewards/change/record.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Handler } from '../../../platform/feed/writer/project-write.ts';
import type { Attempt } from '../deliveries/delivery.ts';
import { type DueAgain, deleteFinished, updateDueAgain } from '../queue/queue-store.ts';
import { insertAttempts } from './attempt-store.ts';
import type { Outcome } from './decide-outcome.ts';

/** The result of one attempt: its row in the history, and what happens to the delivery. */
export interface AttemptResult {
  readonly queueId: string;
  readonly leaseId: string;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  readonly attempt: Attempt;
  readonly outcome: Outcome;
}

/** Saves attempts of one project. Saving one twice changes nothing. */
export function saveResults(tx: Tx, projectId: string, results: readonly AttemptResult[]): void {
  const made = results.map(({ attempt }) => attempt);
  insertAttempts(tx, projectId, made);
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

/** A response that grants a reward, and its attempt. */
export interface GrantingResult {
  readonly rewardId: string;
  readonly eventId: string;
  readonly result: AttemptResult;
}

/**
 * Records the grant and the attempt in one transaction, so that neither exists without the other.
 */
export const settleGrants: Handler<GrantingResult, null> = {
  name: 'webhook.grant',
  batchMax: 100,
  repeatable: true,
  // The slots of the dispatcher limit it.
  isBounded: true,
  async run(write, commands) {
    const grants = commands.map(({ input }) => input);
    await grantAnswered(write, grants);
    const results = grants.map(({ result }) => result);
    saveResults(write.tx, write.projectId, results);
    return commands.map(() => ({ answer: null }));
  },
};
