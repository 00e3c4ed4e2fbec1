import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import { decideVoid } from '../decide/decide-void.ts';
import type { RewardDeps } from '../reward-deps.ts';
import type { Reward, VoidReward } from '../schema.ts';
import { makeChangeHandler } from './change-rewards.ts';

const handler = makeChangeHandler({
  news: 'reward.voided',
  decide: decideVoid,
  note: (write, request, { id, fulfillmentStatus, void: made }) =>
    recordAudit(write, request, {
      action: 'reward.void',
      targetType: 'reward',
      targetId: id,
      // Not the reason: words may tell of people, and this log outlives their erasure.
      changes: { reasonCode: made?.reasonCode, fulfillmentStatus },
    }),
});

/** Ends with INVALID_REQUEST, NOT_FOUND or CONFLICT void_facts_differ. */
export async function recordVoid(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  { reasonCode, reason = null }: VoidReward,
): Promise<Reward> {
  if (reasonCode === 'other' && reason === null) {
    throw invalid('reason', 'is required when reasonCode is other');
  }
  return writer.submit(handler, request, { rewardId, facts: { reasonCode, reason } });
}
