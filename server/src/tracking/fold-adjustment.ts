import { differenceOf } from '../figures/tally.ts';
import { type AppError, invalid, notFound } from '../kit/errors.ts';
import { findTerms } from '../programs/program-book.ts';
import { applyRefund } from '../rewards/apply-refund.ts';
import { rewardData, toRewardAdjustment } from '../rewards/present.ts';
import type { RewardAdjustmentRow, RewardRow } from '../rewards/reward.ts';
import { figuresOf } from '../rewards/reward-figures.ts';
import type { AdjustmentAnswer } from './adjustment-schema.ts';
import { firstAnswer, refuseArrival, rememberAnswer, sourceKey } from './arrival.ts';
import { count } from './count.ts';
import { decideAdjustment } from './decide-adjustment.ts';
import { keepReward } from './keep-reward.ts';
import type { AdjustmentInput } from './normalize-adjustment.ts';
import { addRow, changeRow, type Recorder } from './recorder.ts';
import type { Purchase, PurchaseAdjustment, TrackSlice } from './slice.ts';

export type Adjusted =
  | { readonly answer: AdjustmentAnswer; readonly participantId?: string }
  | { readonly refused: AppError };

/** Takes a refund, dispute or restoration into the slice. Refusals leave the slice as it was. */
export function foldAdjustment(
  slice: TrackSlice,
  recorder: Recorder,
  input: AdjustmentInput,
): Adjusted {
  const source = slice.sources.get(input.sourceNamespaceId);
  if (!source) return { refused: notFound('source') };
  const first = firstAnswer<AdjustmentAnswer>(slice, input);
  if (first) return first;
  const late = refuseArrival(source, input.occurredAt, recorder.now);
  if (late) return { refused: late };
  const purchase = slice.purchases.get(slice.purchaseOfKey.get(sourceKey(input.purchase)) ?? '');
  if (!purchase) return { refused: notFound('purchase with an amount') };
  if (purchase.currency !== input.currency) {
    return { refused: invalid('currency', `must be ${purchase.currency}, as the purchase was`) };
  }
  const undone = findUndone(slice, purchase, input);
  if (undone === 'unknown') {
    return { refused: notFound('refund or dispute of this purchase to restore') };
  }
  const decision = decideAdjustment(
    { ...purchase, amountMinor: BigInt(purchase.amountMinor) },
    input.kind,
    input.amountMinor,
    undone,
  );
  if ('refused' in decision) return decision;

  const { appliedMinor, refundedMinor, disputedMinor } = decision;
  const adjustment: PurchaseAdjustment = {
    id: recorder.newId('padj'),
    number: recorder.nextNumber('purchaseAdjustments'),
    purchaseId: purchase.id,
    kind: input.kind,
    sourceNamespaceId: input.sourceNamespaceId,
    sourceEventId: input.sourceEventId,
    amountMinor: input.amountMinor,
    appliedMinor,
    restoredMinor: 0n,
    refundedTotalMinor: refundedMinor,
    disputedTotalMinor: disputedMinor,
    restoresId: undone?.id ?? null,
    occurredAt: input.occurredAt,
    factsHash: input.factsHash,
  };
  addRow(recorder.made.adjustments, adjustment);
  keepAdjustment(slice, adjustment);
  if (undone) {
    const restored = { ...undone, restoredMinor: undone.restoredMinor + input.amountMinor };
    changeRow(recorder.made.adjustments, restored);
    keepAdjustment(slice, restored);
  }
  const standing: Purchase = { ...purchase, refundedMinor, disputedMinor };
  slice.purchases.set(purchase.id, standing);
  changeRow(recorder.made.purchases, standing);

  const rewards = [...(slice.rewardsOf.get(purchase.id)?.values() ?? [])];
  const answer: AdjustmentAnswer = {
    success: true,
    purchaseAdjustmentId: adjustment.id,
    purchaseId: purchase.id,
    rewardAdjustments: adjustRewards(slice, recorder, standing, adjustment, rewards).map(
      toRewardAdjustment,
    ),
  };
  rememberAnswer(slice, recorder, { ...input, answer });
  return { answer, participantId: purchase.participantId };
}

function findUndone(
  slice: TrackSlice,
  purchase: Purchase,
  { restores }: AdjustmentInput,
): PurchaseAdjustment | null | 'unknown' {
  if (restores === null) return null;
  const undone = slice.adjustments.get(slice.adjustmentOfKey.get(sourceKey(restores)) ?? '');
  const fits = undone?.purchaseId === purchase.id && undone.kind !== 'restoration';
  return fits ? undone : 'unknown';
}

function keepAdjustment(slice: TrackSlice, adjustment: PurchaseAdjustment): void {
  slice.adjustments.set(adjustment.id, adjustment);
  slice.adjustmentOfKey.set(sourceKey(adjustment), adjustment.id);
}

/**
 * Lets Rewards earned just now catch up with what happened to their purchase while it
 * waited, step by step, so that each adjustment has its part.
 */
export function catchUp(
  slice: TrackSlice,
  recorder: Recorder,
  purchase: Purchase,
  rewardIds: ReadonlySet<string>,
): void {
  const steps = [...slice.adjustments.values()]
    .filter(({ purchaseId }) => purchaseId === purchase.id)
    .sort((a, b) => a.number - b.number);
  for (const step of steps) {
    const rewards = [...(slice.rewardsOf.get(purchase.id)?.values() ?? [])];
    const late = rewards.filter(({ id }) => rewardIds.has(id));
    adjustRewards(slice, recorder, purchase, step, late);
  }
}

function adjustRewards(
  slice: TrackSlice,
  recorder: Recorder,
  purchase: Purchase,
  adjustment: PurchaseAdjustment,
  rewards: readonly RewardRow[],
): RewardAdjustmentRow[] {
  const standing = { ...adjustment, amountMinor: BigInt(purchase.amountMinor) };
  return rewards.flatMap((before) => {
    const terms = findTerms(slice.book, before);
    const { now, newId } = recorder;
    const effect = applyRefund(before, terms, standing, now, newId);
    const after = effect.reward;
    if (after !== before) {
      keepReward(slice, after);
      changeRow(recorder.made.rewards, after);
      count(slice, recorder, differenceOf(figuresOf(before), figuresOf(after)));
      if (after.void !== null && before.void === null) {
        recorder.announce('reward.voided', { reward: rewardData(after, terms.unit) });
      }
    }
    if (effect.adjustment === null || before.currency === null) return [];
    const { signedAmountMinor, ...snapshot } = effect.adjustment;
    const row: RewardAdjustmentRow = {
      id: recorder.newId('adj'),
      number: recorder.nextNumber('rewardAdjustments'),
      projectId: recorder.projectId,
      purchaseAdjustmentId: adjustment.id,
      rewardId: before.id,
      purchaseId: purchase.id,
      currency: before.currency,
      signedAmountMinor,
      snapshot: { ...snapshot, newNetMinor: snapshot.previousNetMinor + signedAmountMinor },
      createdAt: now,
      updatedAt: now,
    };
    recorder.made.rewardAdjustments.push(row);
    return [row];
  });
}
