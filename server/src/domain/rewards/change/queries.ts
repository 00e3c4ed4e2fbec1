import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { forgetTexts } from '../../../platform/feed/queries.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { SLICE, type Slice } from '../../../platform/feed/writer/slice.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { differenceOf } from '../../../platform/figures/tally.ts';
import { insertRewardAdjustments } from '../adjustment-store.ts';
import { figuresOf } from '../decide/reward-figures.ts';
import { isServiceMethod, stepDueAt } from '../delivery/decide-delivery.ts';
import { type DueReward, upsertDue } from '../delivery/delivery-store.ts';
import type { RewardAdjustmentRow, RewardRow } from '../reward.ts';
import {
  clearVoidReasons,
  insertRewards,
  listRewardIdsOfEvents,
  listRewardsBehind,
  listRewardsById,
  listRewardsOfPurchases,
  updateRewards,
} from '../store.ts';

/** What these purchases earned, in the order it was earned. */
export async function loadRewardsOfPurchases(
  source: Queryable,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<RewardRow[]> {
  const asked = [...new Set(purchaseIds)];
  return asked.length === 0 ? [] : listRewardsOfPurchases(source, projectId, asked);
}

/** Those of these ids, each named once, by id. */
export async function loadRewards(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, RewardRow>> {
  const rows = ids.length === 0 ? [] : await listRewardsById(source, projectId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

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

/**
 * Saves Rewards and the difference in what they count for. `after` has the same Rewards in
 * the same order; those that are the same row in both are left alone.
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
}

const START = { programId: '', number: 0 };

/** Clears in which words Rewards of a participant were voided, in past events too; reason codes stay. */
export function eraseReasons(participantId: string, after = START): Slice {
  return async (write) => {
    const { tx, projectId } = write;
    const rewards = await listRewardsBehind(tx, projectId, participantId, { after, limit: SLICE });
    clearReasons(
      write,
      rewards.map(({ id }) => id),
    );
    const last = rewards[SLICE - 1];
    return last ? eraseReasons(participantId, last) : null;
  };
}

/** The same of the Rewards that these events brought to anybody. */
export async function eraseReasonsOfEvents(
  write: ProjectWrite,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  clearReasons(write, await listRewardIdsOfEvents(write.tx, write.projectId, eventIds));
}

/** A Reward that stands again says nothing of why it was void, but the events of then do. */
function clearReasons(write: ProjectWrite, rewardIds: readonly string[]): void {
  if (rewardIds.length > 0) clearVoidReasons(write.tx, write.projectId, rewardIds);
  forgetTexts(write, rewardIds);
}
