import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { FeedEventType, ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { differenceOf } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { savePartnerDays } from '../../participants/save-partner-days.ts';
import { findUnits } from '../../programs/queries.ts';
import { earnedDaysOf, figuresOf } from '../decide/reward-figures.ts';
import { isServiceMethod } from '../decide/states.ts';
import { stepDueAt } from '../delivery/decide-delivery.ts';
import { type DueReward, upsertDue } from '../delivery/delivery-store.ts';
import {
  holdMilestones,
  holdRewards,
  listMilestones,
  listStakedMilestones,
  type StakedMilestones,
} from '../held-store.ts';
import { rewardData } from '../read/present.ts';
import type { RewardAdjustmentRow, RewardRow } from '../reward.ts';
import {
  insertRewardAdjustments,
  insertRewards,
  listRewardsById,
  listRewardsOfPurchases,
  updateRewards,
} from '../store.ts';

export type { AskedMilestones, StakedMilestones } from '../held-store.ts';
export { listMilestones, listStakedMilestones };

/** The Rewards of these purchases, in the order they were earned. */
export async function loadRewardsOfPurchases(
  db: Queryable,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<RewardRow[]> {
  const asked = [...new Set(purchaseIds)];
  return asked.length === 0 ? [] : listRewardsOfPurchases(db, projectId, asked);
}

/** The Rewards of these ids, each given once, by id. */
export async function loadRewards(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, RewardRow>> {
  const rows = ids.length === 0 ? [] : await listRewardsById(db, projectId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Saves new Rewards in one statement, and queues their delivery by the service. */
export function saveRewards(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  insertRewards(tx, projectId, rewards);
  queueDeliveries(tx, projectId, rewards);
}

/**
 * Saves what facts changed in Rewards: net, statuses, delivery, records and void. Code that changed
 * a status must have called `withDelivery`.
 */
export function saveChangedRewards(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  if (rewards.length > 0) updateRewards(tx, projectId, rewards);
  queueDeliveries(tx, projectId, rewards);
}

/** Every change of a Reward passes here, so that a due delivery is never forgotten. */
function queueDeliveries(tx: Tx, projectId: string, rewards: readonly RewardRow[]): void {
  const due = rewards.flatMap((row): DueReward[] => {
    const { id: rewardId, beneficiaryParticipantId: participantId, method } = row;
    if (!isServiceMethod(method)) return [];
    return [{ rewardId, participantId, method, dueAt: stepDueAt(row, row.updatedAt) }];
  });
  if (due.length > 0) upsertDue(tx, projectId, due);
}

/**
 * Holds all Rewards of referrals whose review was opened, and milestones that are reached only with those under review. A
 * due delivery finds that there is nothing to do.
 */
export function holdRewardsOf(
  tx: Tx,
  projectId: string,
  now: Instant,
  held: {
    readonly referralIds: readonly string[];
    readonly milestones: readonly StakedMilestones[];
  },
): void {
  if (held.referralIds.length > 0) holdRewards(tx, projectId, now, held.referralIds);
  if (held.milestones.length > 0) holdMilestones(tx, projectId, now, held.milestones);
}

export function saveRewardAdjustments(
  tx: Tx,
  projectId: string,
  adjustments: readonly RewardAdjustmentRow[],
): void {
  insertRewardAdjustments(tx, projectId, adjustments);
}

/**
 * Saves Rewards and the difference in their figures. `after` has the same Rewards in the same
 * order; rows that are identical in both are not written.
 */
export function saveRewardChanges(
  { tx, projectId }: Pick<ProjectWrite, 'tx' | 'projectId'>,
  before: readonly RewardRow[],
  after: readonly RewardRow[],
): void {
  saveChangedRewards(
    tx,
    projectId,
    after.filter((row, index) => row !== before[index]),
  );
  saveFigures(
    tx,
    projectId,
    differenceOf(
      before.flatMap((row) => figuresOf(row)),
      after.flatMap((row) => figuresOf(row)),
    ),
  );
  savePartnerDays(
    tx,
    projectId,
    differenceOf(before.flatMap(earnedDaysOf), after.flatMap(earnedDaysOf)),
  );
}

export type RewardNews = Extract<
  FeedEventType,
  'reward.fulfilled' | 'reward.revoked' | 'reward.voided'
>;

/** Adds one event for each Reward to the feed, in their order. */
export async function announceChanges(
  { tx, projectId, append }: ProjectWrite,
  type: RewardNews,
  rows: readonly RewardRow[],
): Promise<void> {
  const unitIds = [...new Set(rows.flatMap((row) => row.unitId ?? []))];
  const units = await findUnits(tx, projectId, unitIds);
  for (const row of rows) {
    append(type, { reward: rewardData(row, units.get(row.unitId ?? '') ?? null) });
  }
}
