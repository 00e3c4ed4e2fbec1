import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { RewardDeps } from '../reward-deps.ts';
import type { Reward } from '../schema.ts';
import { findRewardRow } from '../store.ts';
import { showRewardsNow } from './show-rewards.ts';

/** Ends with NOT_FOUND. */
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
