import type { Instant } from '../../../platform/kit/instant.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import { milestoneAt } from './lose-milestone.ts';

/** A measure, and how much of it would be gone if every open dispute was lost. */
export interface StakedMeasure {
  readonly value: bigint;
  readonly atStake: bigint;
}

/**
 * The Reward of a milestone that is reached, but only with purchases that are disputed: it is on hold until the disputes
 * are won, or others carry it. What is in progress or granted keeps its status; if it comes back, it is not paid again
 * meanwhile. The same row if nothing changes.
 */
export function holdMilestone(
  reward: RewardRow,
  { value, atStake }: StakedMeasure,
  now: Instant,
): RewardRow {
  if (reward.void !== null) return reward;
  const at = milestoneAt(reward);
  const isDisputed = value >= at && value - atStake < at;
  if (isDisputed === reward.isDisputed) return reward;
  return withDelivery({ ...reward, isDisputed, updatedAt: now }, now);
}
