import { findSuspended } from '../../../domain/partners/queries.ts';
import { loadRewards, saveRewardChanges } from '../../../domain/rewards/change/save-rewards.ts';
import { amountDueOf } from '../../../domain/rewards/reward.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { coverPayouts } from '../advances/cover-payouts.ts';
import type { Coverable } from '../advances/decide-cover.ts';
import { findUsableDetails } from '../details/queries.ts';
import { type PayoutDeps, realNow, runStep, SLICE } from '../payout-deps.ts';
import { applyToBatch } from '../transfers/apply-outcomes.ts';
import { releaseLine, startPaying } from '../transfers/pay-reward.ts';
import type { BatchRow, CancelReason, LineRow, PayoutRow } from '../transfers/payout.ts';
import {
  listPayoutsOfBatch,
  updateGivenUp,
  updateStatusOfBatch,
  updateSums,
} from '../transfers/payout-store.ts';
import { findBatch, findSettings } from './batch-store.ts';
import { isEnough, MAXIMUM_MINOR, minimumOf } from './group-payees.ts';
import { beginMove, finishMove, loadBatch } from './move-batch.ts';
import { deleteLines, listReservedLines, updateFrozenParts, updateLines } from './part-store.ts';
import { sumParts, totalsOf } from './sum-parts.ts';

const MESSAGES: Readonly<Record<CancelReason, string>> = {
  above_maximum: 'At approval, the amount was above the maximum of one transfer.',
  below_minimum: 'At approval, the amount was below the minimum.',
  partner_suspended: 'At approval, the partner was suspended.',
  details_unusable: 'At approval, the payee’s details could not be used.',
};

const DEBT_MESSAGE = 'At approval, the payee owed more than the rewards in it were worth.';

/**
 * Fixes the amount of each transfer by what its rewards are worth now. Transfers that have fallen
 * below the minimum since they were reserved, whose partner was suspended, or whose details are no
 * longer usable are cancelled. Fails with NOT_FOUND, or CONFLICT `invalid_transition`, also for a batch
 * that is already approved.
 */
export async function approveBatch(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  batchId: string,
): Promise<BatchRow> {
  await beginMove(deps, project, request, { batchId, trigger: 'approve' });
  await continueApproval(deps, await loadBatch(deps, project, batchId));
  return loadBatch(deps, project, batchId);
}

export async function continueApproval(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  if (batch.status !== 'approving') return;
  for (const projectId of batch.projectIds) {
    const freeze = () => runStep(deps, projectId, (write) => freezeSlice(write, batch.id));
    while ((await freeze()) === SLICE);
  }
  await finishApproval(deps, batch);
  await applyToBatch(deps, batch.id);
}

/** Returns how many lines it processed. */
async function freezeSlice(write: ProjectWrite, batchId: string): Promise<number> {
  const { tx, projectId, now } = write;
  if ((await findBatch(tx, batchId))?.status !== 'approving') return 0;
  const reserved = await listReservedLines(tx, projectId, batchId, SLICE);
  if (reserved.length === 0) return 0;
  const rewardIds = reserved.map(({ rewardId }) => rewardId);
  const rewards = await loadRewards(tx, projectId, rewardIds);
  const frozen: LineRow[] = [];
  const dropped: LineRow[] = [];
  for (const line of reserved) {
    const reward = rewards.get(line.rewardId);
    if (!reward) throw new Error(`A payout names Reward ${line.rewardId}, which does not exist.`);
    const amountMinor = amountDueOf(reward);
    // Its review or a dispute was opened after it was reserved.
    const isHeld = (reward.isUnderReview || reward.isDisputed) && amountMinor > 0n;
    if (amountMinor === 0n || isHeld) dropped.push(line);
    else frozen.push({ ...line, amountMinor, state: 'frozen' });
  }
  const given = new Set(dropped.map(({ rewardId }) => rewardId));
  const before = [...rewards.values()];
  const after = before.map((reward) =>
    given.has(reward.id) ? releaseLine(reward, null, now) : startPaying(reward, now),
  );
  saveRewardChanges(write, before, after);
  if (frozen.length > 0) updateLines(tx, projectId, frozen);
  if (dropped.length > 0) deleteLines(tx, projectId, dropped);
  const payoutIds = [...new Set(reserved.map(({ payoutId }) => payoutId))];
  updateFrozenParts(tx, projectId, payoutIds, now);
  return reserved.length;
}

async function finishApproval(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  const { reads } = deps.database;
  const sums = await sumParts(reads, batch);
  const { minimums } = await findSettings(reads, batch.workspaceId);
  const usable = await findUsableDetails(deps, batch, await listPayoutsOfBatch(reads, batch.id));
  const now = realNow(deps);
  await finishMove(deps, { batchId: batch.id, from: 'approving', now }, async (tx) => {
    const payouts = await listPayoutsOfBatch(tx, batch.id);
    const payees = payouts.map(({ payee }) => payee);
    const suspended = await findSuspended(tx, payees);
    const reasonOf = ({ id, currency, payee }: PayoutRow): CancelReason | null => {
      if (suspended.has(payee)) return 'partner_suspended';
      const amountMinor = sums.get(id)?.amountMinor ?? 0n;
      if (amountMinor > MAXIMUM_MINOR) return 'above_maximum';
      if (!isEnough(amountMinor, minimumOf(minimums, currency))) return 'below_minimum';
      return usable.has(id) ? null : 'details_unusable';
    };
    updateSums(tx, [...sums.values()], now);
    const givenUp = payouts.flatMap((payout) => {
      const reason = reasonOf(payout);
      if (reason === null) return [];
      const isDebt = reason === 'below_minimum' && (sums.get(payout.id)?.amountMinor ?? 0n) < 0n;
      return [{ id: payout.id, reason, message: isDebt ? DEBT_MESSAGE : MESSAGES[reason] }];
    });
    updateGivenUp(tx, givenUp, now);
    const approved = payouts.filter((payout) => reasonOf(payout) === null);
    await coverPayouts(
      tx,
      batch,
      approved.map((payout): Coverable => {
        const fingerprint = usable.get(payout.id)?.fingerprint ?? '';
        return { ...payout, fingerprint, amountMinor: sums.get(payout.id)?.amountMinor ?? 0n };
      }),
    );
    updateStatusOfBatch(tx, batch.id, { from: 'draft', to: 'approved', now, dueAt: null });
    return { totals: totalsOf(approved, sums) };
  });
}
