import { notFound } from '../kit/errors.ts';
import { toInstant } from '../kit/instant.ts';
import type { RewardDeps } from './reward-deps.ts';
import type { Reward } from './schema.ts';
import { showRewards } from './show-rewards.ts';
import { findRewardRow } from './store.ts';

/** Ends with NOT_FOUND. */
export async function findReward(
  deps: RewardDeps,
  projectId: string,
  rewardId: string,
): Promise<Reward> {
  const { reads } = deps.database;
  const row = await findRewardRow(reads, projectId, rewardId);
  if (!row) throw notFound('reward');
  const [reward] = await showRewards(reads, projectId, [row], toInstant(deps.clock.nowMs()));
  return reward as Reward;
}
