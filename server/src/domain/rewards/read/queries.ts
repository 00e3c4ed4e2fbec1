import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { DELIVERY_METHODS, type DeliveryMethod } from '../decide/states.ts';
import type { RewardRow } from '../reward.ts';
import type { RewardDeps } from '../reward-deps.ts';
import type { Reward } from '../schema.ts';
import { countByState, findRewardRow } from '../store.ts';
import { showRewardsNow } from './show-rewards.ts';

/** A stored Reward, without fields that depend on the current time. */
export function findRewardState(
  db: Queryable,
  projectId: string,
  rewardId: string,
): Promise<
  | Pick<RewardRow, 'id' | 'benefitKind' | 'fulfillmentStatus' | 'beneficiaryParticipantId'>
  | undefined
> {
  return findRewardRow(db, projectId, rewardId);
}

/** Fails with NOT_FOUND. */
export async function findReward(
  deps: RewardDeps,
  project: ProjectRef,
  rewardId: string,
): Promise<Reward> {
  const { reads } = deps.database;
  const [now, row] = await Promise.all([
    projectNow(reads, deps.clock, project),
    findRewardRow(reads, project.id, rewardId),
  ]);
  if (!row) throw notFound('reward');
  const { findPayable } = deps;
  const [reward] = await showRewardsNow({ reads, findPayable }, project.id, [row], now);
  return reward as Reward;
}

/** Methods by which people or the product grant and revoke. */
const BY_HAND = ['operator', 'manual'] as const;

export interface WaitingRewards {
  readonly toGrant: ReadonlyMap<DeliveryMethod, number>;
  readonly toTakeBack: ReadonlyMap<DeliveryMethod, number>;
  /** Failed deliveries of any method. */
  readonly failed: number;
}

/** Number of Rewards that wait for somebody; counts at most `most` per kind and method. */
export async function countWaitingRewards(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<WaitingRewards> {
  const states = [
    ...BY_HAND.map((method) => ({ fulfillmentStatus: 'pending', method }) as const),
    ...BY_HAND.map((method) => ({ fulfillmentStatus: 'revocation_pending', method }) as const),
    ...DELIVERY_METHODS.map((method) => ({ fulfillmentStatus: 'failed', method }) as const),
  ];
  const counts = await countByState(db, projectId, states, most);
  const of = (status: string) =>
    states.flatMap(({ fulfillmentStatus, method }, index): [DeliveryMethod, number][] =>
      fulfillmentStatus === status ? [[method, counts[index] ?? 0]] : [],
    );
  return {
    toGrant: new Map(of('pending')),
    toTakeBack: new Map(of('revocation_pending')),
    failed: of('failed').reduce((sum, [, count]) => sum + count, 0),
  };
}
