import type { RewardRow } from '../rewards/reward.ts';
import type { TrackSlice } from './slice.ts';

/** So that the commands after see the Reward as it is now. */
export function keepReward(slice: TrackSlice, reward: RewardRow): void {
  if (reward.purchaseId === null) return;
  const known = slice.rewardsOf.get(reward.purchaseId) ?? new Map<string, RewardRow>();
  known.set(reward.id, reward);
  slice.rewardsOf.set(reward.purchaseId, known);
}
