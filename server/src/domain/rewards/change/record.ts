import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import { decideFulfillment } from '../decide/decide-fulfillment.ts';
import { decideRevocation } from '../decide/decide-revocation.ts';
import { decideVoid } from '../decide/decide-void.ts';
import type { RewardRecord } from '../reward.ts';
import type { RewardDeps } from '../reward-deps.ts';
import type { Reward, VoidReward } from '../schema.ts';
import { makeChangeHandler } from './change-rewards.ts';

/** Who records a grant or a revocation by a call: a person in the console, or a backend (D-RWD-6). */
const recordActorOf = ({ actor }: Pick<WriteRequest, 'actor'>): RewardRecord['actor'] =>
  actor.type === 'user' ? 'console' : 'api';

const fulfilled = makeChangeHandler({ news: 'reward.fulfilled', decide: decideFulfillment });

/** Fails with NOT_FOUND, UNSUPPORTED_DELIVERY_METHOD or CONFLICT. */
export function recordFulfillment(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  externalReference: string,
): Promise<Reward> {
  const facts = { externalReference, actor: recordActorOf(request) };
  return writer.submit(fulfilled, request, { rewardId, facts });
}

const revoked = makeChangeHandler({ news: 'reward.revoked', decide: decideRevocation });

/** Fails with NOT_FOUND, UNSUPPORTED_DELIVERY_METHOD or CONFLICT. */
export function recordRevocation(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  externalReference: string,
): Promise<Reward> {
  const facts = { externalReference, actor: recordActorOf(request) };
  return writer.submit(revoked, request, { rewardId, facts });
}

const voided = makeChangeHandler({
  news: 'reward.voided',
  decide: decideVoid,
  note: (write, request, { id, fulfillmentStatus, void: made }) =>
    recordAudit(write, request, {
      action: 'reward.void',
      targetType: 'reward',
      targetId: id,
      // Without the reason: free text may name people, and this log outlives their erasure.
      changes: { reasonCode: made?.reasonCode, fulfillmentStatus },
    }),
});

/** Fails with INVALID_REQUEST, NOT_FOUND or CONFLICT void_facts_differ. */
export async function recordVoid(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  { reasonCode, reason = null }: VoidReward,
): Promise<Reward> {
  if (reasonCode === 'other' && reason === null) {
    throw invalid('reason', 'is required when reasonCode is other');
  }
  return writer.submit(voided, request, { rewardId, facts: { reasonCode, reason } });
}
