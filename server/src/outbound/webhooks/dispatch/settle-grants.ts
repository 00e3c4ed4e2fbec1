import { grantAnswered } from '../../../domain/rewards/change/grant-answered.ts';
import type { Handler } from '../../../platform/feed/writer/project-write.ts';
import { type AttemptResult, saveResults } from './save-results.ts';

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
    saveResults(
      write.tx,
      write.projectId,
      grants.map(({ result }) => result),
    );
    return commands.map(() => ({ answer: null }));
  },
};
