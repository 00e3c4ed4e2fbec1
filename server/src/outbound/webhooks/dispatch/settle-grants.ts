import { grantAnswered } from '../../../domain/rewards/change/grant-answered.ts';
import type { Handler } from '../../../platform/feed/writer/project-write.ts';
import { type AttemptResult, saveResults } from './save-results.ts';

/** An answer that grants a Reward, with the attempt that it is the answer to. */
export interface GrantingResult {
  readonly rewardId: string;
  readonly eventId: string;
  readonly result: AttemptResult;
}

/** Records the grant and the attempt in one transaction, so that neither is without the other. */
export const settleGrants: Handler<GrantingResult, null> = {
  name: 'webhook.grant',
  batchMax: 100,
  repeatable: true,
  // By the slots of the dispatcher.
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
