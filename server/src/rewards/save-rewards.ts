import type { Tx } from '../db/database.ts';
import { insertRewardAdjustments } from './adjustment-store.ts';
import type { RewardAdjustmentRow, RewardRow } from './reward.ts';
import { insertRewards, updateRewards } from './store.ts';

/** Saves new Rewards, however many, in one statement. */
export function saveRewards(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  if (rewards.length > 0) insertRewards(tx, projectId, rewards);
}

/**
 * Saves what facts changed of Rewards: net, statuses, delivery, records and void. Whoever
 * changed a status has called `withDelivery`.
 */
export function saveChangedRewards(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  if (rewards.length > 0) updateRewards(tx, projectId, rewards);
}

export function saveRewardAdjustments(
  tx: Tx,
  projectId: string,
  adjustments: readonly RewardAdjustmentRow[],
): void {
  if (adjustments.length > 0) insertRewardAdjustments(tx, projectId, adjustments);
}
