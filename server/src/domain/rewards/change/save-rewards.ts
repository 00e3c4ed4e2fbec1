import type { Tx } from '../../../platform/db/database.ts';
import { insertRewardAdjustments } from '../adjustment-store.ts';
import { isServiceMethod, stepDueAt } from '../delivery/decide-delivery.ts';
import { type DueReward, upsertDue } from '../delivery/delivery-store.ts';
import type { RewardAdjustmentRow, RewardRow } from '../reward.ts';
import { insertRewards, updateRewards } from '../store.ts';

/** Saves new Rewards, however many, in one statement; and what the service has to do for them. */
export function saveRewards(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  if (rewards.length > 0) insertRewards(tx, projectId, rewards);
  queueDeliveries(tx, projectId, rewards);
}

/**
 * Saves what facts changed of Rewards: net, statuses, delivery, records and void. Whoever
 * changed a status has called `withDelivery`.
 */
export function saveChangedRewards(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  if (rewards.length > 0) updateRewards(tx, projectId, rewards);
  queueDeliveries(tx, projectId, rewards);
}

/** Whatever changes a Reward passes here: so what is due follows from it, and is never forgotten. */
function queueDeliveries(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  const due = rewards.flatMap((row): DueReward[] => {
    const { id: rewardId, beneficiaryParticipantId: participantId, method } = row;
    if (!isServiceMethod(method)) return [];
    return [{ rewardId, participantId, method, dueAt: stepDueAt(row, row.updatedAt) }];
  });
  if (due.length > 0) upsertDue(tx, projectId, due);
}

export function saveRewardAdjustments(
  tx: Tx,
  projectId: string,
  adjustments: readonly RewardAdjustmentRow[],
): void {
  if (adjustments.length > 0) insertRewardAdjustments(tx, projectId, adjustments);
}
