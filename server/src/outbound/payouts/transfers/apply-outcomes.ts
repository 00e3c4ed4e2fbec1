import { findErased } from '../../../domain/participants/queries.ts';
import {
  announceChanges,
  loadRewards,
  saveRewardChanges,
} from '../../../domain/rewards/change/save-rewards.ts';
import { voidReward } from '../../../domain/rewards/decide/decide-void.ts';
import type { RewardRow } from '../../../domain/rewards/reward.ts';
import type { FeedEventType, ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { nextTrigger } from '../batches/decide-part.ts';
import {
  listLines,
  listLinesToMove,
  listParts,
  updateLines,
  updateParts,
} from '../batches/part-store.ts';
import { blameParticipants, blamePartners } from '../details/blame-details.ts';
import { type PayoutDeps, runStep, SLICE, slicesOf } from '../payout-deps.ts';
import { payoutData } from '../present.ts';
import { type LineState, type PayoutTrigger, transition } from '../states.ts';
import { releaseLine, returnLine, settleLine } from './pay-reward.ts';
import type { LineRow, PartRow, PayoutRow } from './payout.ts';
import { listPayouts, listPayoutsOfBatch, updateApplied } from './payout-store.ts';

/** Brings the parts of payouts to the status of the payouts. A repeat changes nothing. */
export async function applyOutcomes(
  deps: Pick<PayoutDeps, 'writer' | 'newId' | 'database'>,
  payouts: readonly PayoutRow[],
): Promise<void> {
  for (const slice of slicesOf(payouts)) {
    const projectIds = new Set(slice.flatMap((payout) => payout.projectIds));
    for (const projectId of projectIds) {
      const mine = slice.filter((payout) => payout.projectIds.includes(projectId));
      while (await runStep(deps, projectId, (write) => applySlice(write, mine)));
    }
    await deps.database.transaction(async (tx) => {
      await blamePartners(tx, slice);
      updateApplied(tx, slice);
    });
  }
}

/** The same for all payouts of a batch that are not applied yet. */
export async function applyToBatch(
  deps: Pick<PayoutDeps, 'writer' | 'newId' | 'database'>,
  batchId: string,
): Promise<void> {
  const payouts = await listPayoutsOfBatch(deps.database.reads, batchId);
  const left = payouts.filter(({ isApplied }) => !isApplied);
  await applyOutcomes(deps, left);
}

interface Task {
  readonly part: PartRow;
  readonly payout: PayoutRow;
  readonly trigger: PayoutTrigger;
}

/** Returns whether there was anything to do; if so, there may be more. */
async function applySlice(write: ProjectWrite, payouts: readonly PayoutRow[]): Promise<boolean> {
  const { tx, projectId } = write;
  const ids = payouts.map(({ id }) => id);
  const byId = new Map((await listPayouts(tx, ids)).map((payout) => [payout.id, payout]));
  const parts = await listParts(tx, projectId, ids);
  const isExplained = await explain(write, parts, byId);
  const tasks = parts.flatMap((part): Task[] => {
    const payout = byId.get(part.payoutId) as PayoutRow;
    const trigger = nextTrigger(part.status, payout);
    return trigger ? [{ part, payout, trigger }] : [];
  });
  if (tasks.length === 0) return isExplained;
  const asked = tasks.map(({ part: { payoutId }, trigger }) => ({
    payoutId,
    withSettled: trigger === 'return',
  }));
  const lines = await listLinesToMove(tx, projectId, asked, SLICE + 1);
  // The part that the surplus line belongs to is incomplete, and so are those after it.
  const [tooMany] = lines.splice(SLICE);
  const end = tasks.findIndex(({ part }) => part.payoutId === tooMany?.payoutId);
  const done = tooMany ? tasks.slice(0, end) : tasks;
  const { fulfilled, voided } = await moveLines(write, tasks, lines);
  const moved = done.map((task) => moveTask(task, write.now));
  if (moved.length > 0) updateParts(tx, projectId, moved);
  const unpaid = done.filter(({ trigger }) => trigger !== 'pay');
  await blameParticipants(tx, projectId, unpaid, write.now);
  await announceChanges(write, 'reward.fulfilled', fulfilled);
  await announceChanges(write, 'reward.voided', voided);
  await announceParts(write, moved);
  return true;
}

/**
 * The reason for a return may become known later. That causes no event, but the details may be to
 * blame.
 */
async function explain(
  { tx, projectId, now }: ProjectWrite,
  parts: readonly PartRow[],
  byId: ReadonlyMap<string, PayoutRow>,
): Promise<boolean> {
  const explained = parts.flatMap((part) => {
    const payout = byId.get(part.payoutId) as PayoutRow;
    const isNew = part.status === 'returned' && part.failureReason !== payout.failureReason;
    return isNew ? [{ part, payout }] : [];
  });
  if (explained.length === 0) return false;
  const announced = explained.map(({ part, payout: { failureReason, failureMessage } }) => ({
    ...part,
    failureReason,
    failureMessage,
    updatedAt: now,
  }));
  updateParts(tx, projectId, announced);
  await blameParticipants(tx, projectId, explained, now);
  return true;
}

/** The cancel reasons that keep rewards waiting beyond the next payout. */
const REASONS = ['below_minimum', 'above_maximum'] as const;

interface Moved {
  readonly fulfilled: readonly RewardRow[];
  /** Those that came back and can be paid to nobody any more. */
  readonly voided: readonly RewardRow[];
}

async function moveLines(
  write: ProjectWrite,
  tasks: readonly Task[],
  lines: readonly LineRow[],
): Promise<Moved> {
  if (lines.length === 0) return { fulfilled: [], voided: [] };
  const { tx, projectId } = write;
  const taskOf = new Map(tasks.map((task) => [task.part.payoutId, task]));
  const rewardIds = new Set(lines.map(({ rewardId }) => rewardId));
  const rewards = await loadRewards(tx, projectId, [...rewardIds]);
  const before = [...rewards.values()];
  const after = new Map(rewards);
  const fulfilled: RewardRow[] = [];
  for (const line of lines) {
    const reward = after.get(line.rewardId);
    if (!reward) throw new Error(`A payout names Reward ${line.rewardId}, which does not exist.`);
    const next = moveReward(write, taskOf.get(line.payoutId) as Task, line, reward);
    after.set(reward.id, next);
    if (next.fulfillmentStatus === 'fulfilled' && reward.fulfillmentStatus !== 'fulfilled') {
      fulfilled.push(next);
    }
  }
  const voided = await voidErased(write, before, [...after.values()]);
  for (const reward of voided) after.set(reward.id, reward);
  saveRewardChanges(write, before, [...after.values()]);
  const moved = lines.map((line) => {
    const { trigger } = taskOf.get(line.payoutId) as Task;
    return { ...line, state: LINE_AFTER[trigger] as LineState };
  });
  updateLines(tx, projectId, moved);
  return { fulfilled, voided };
}

/** Money that comes back from somebody who was erased meanwhile is owed to nobody. */
async function voidErased(
  { tx, projectId, now, newId }: ProjectWrite,
  before: readonly RewardRow[],
  after: readonly RewardRow[],
): Promise<RewardRow[]> {
  const paid = new Set(before.filter(isFulfilled).map(({ id }) => id));
  const owed = after.filter(
    ({ id, fulfillmentStatus }) => fulfillmentStatus === 'pending' && paid.has(id),
  );
  const payees = new Set(owed.map(({ beneficiaryParticipantId }) => beneficiaryParticipantId));
  const erased = await findErased(tx, projectId, [...payees]);
  return owed
    .filter(({ beneficiaryParticipantId }) => erased.has(beneficiaryParticipantId))
    .map((row) => voidReward(row, { reasonCode: 'participant_deleted', reason: null }, now, newId));
}

const isFulfilled = ({ fulfillmentStatus }: RewardRow) => fulfillmentStatus === 'fulfilled';

const LINE_AFTER: Partial<Record<PayoutTrigger, LineState>> = {
  pay: 'settled',
  fail: 'released',
  cancel: 'released',
  return: 'returned',
};

function moveReward(
  write: ProjectWrite,
  { payout, trigger }: Task,
  { amountMinor, state }: LineRow,
  reward: RewardRow,
): RewardRow {
  switch (trigger) {
    case 'pay': {
      const { id: payoutId, providerReference } = payout;
      return settleLine(reward, amountMinor, { payoutId, providerReference }, write);
    }
    case 'return':
      return returnLine(reward, amountMinor, state === 'settled', write.now);
    case 'fail':
      return releaseLine(reward, 'payout_failed', write.now);
    default: {
      const kept = REASONS.find((reason) => reason === payout.cancelReason);
      return releaseLine(reward, kept ?? null, write.now);
    }
  }
}

function moveTask({ part, payout, trigger }: Task, now: string): PartRow {
  const status = transition(part.status, trigger);
  if (!status) throw new Error(`Payout ${part.payoutId} cannot ${trigger} from ${part.status}.`);
  const isPaid = trigger === 'pay';
  return {
    ...part,
    status,
    providerReference: payout.providerReference,
    // If the payout was returned later, the first event only reports that it was paid.
    failureReason: isPaid ? null : payout.failureReason,
    failureMessage: isPaid ? null : payout.failureMessage,
    paidAt: isPaid ? now : part.paidAt,
    updatedAt: now,
  };
}

const NEWS: Partial<Record<PartRow['status'], FeedEventType>> = {
  paid: 'payout.paid',
  failed: 'payout.failed',
  returned: 'payout.returned',
};

async function announceParts(write: ProjectWrite, parts: readonly PartRow[]): Promise<void> {
  const announced = parts.filter(({ status }) => NEWS[status]);
  if (announced.length === 0) return;
  const payoutIds = announced.map(({ payoutId }) => payoutId);
  const found = await listLines(write.tx, write.projectId, payoutIds);
  const lines = groupBy(found, ({ payoutId }) => payoutId);
  for (const part of announced) {
    write.append(NEWS[part.status] as FeedEventType, {
      payout: payoutData(part, lines.get(part.payoutId) ?? []),
    });
  }
}
