import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { decideRevocation } from '../decide/decide-revocation.ts';
import type { RewardDeps } from '../reward-deps.ts';
import type { Reward } from '../schema.ts';
import { makeChangeHandler } from './change-rewards.ts';
import { recordActorOf } from './record-actor.ts';

const handler = makeChangeHandler({ news: 'reward.revoked', decide: decideRevocation });

/** Ends with NOT_FOUND, UNSUPPORTED_DELIVERY_METHOD or CONFLICT. */
export function recordRevocation(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
  externalReference: string,
): Promise<Reward> {
  const facts = { externalReference, actor: recordActorOf(request) };
  return writer.submit(handler, request, { rewardId, facts });
}
