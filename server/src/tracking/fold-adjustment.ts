import { differenceOf } from '../figures/tally.ts';
import { type AppError, invalid, notFound } from '../kit/errors.ts';
import { findTerms } from '../programs/program-book.ts';
import { applyRefund } from '../rewards/apply-refund.ts';
import { toRewardAdjustment } from '../rewards/present.ts';
import type { RewardAdjustmentRow, RewardRow } from '../rewards/reward.ts';
import { figuresOf } from '../rewards/reward-figures.ts';
import { voidReward } from '../rewards/void-reward.ts';
import type { AdjustmentAnswer } from './adjustment-schema.ts';
import { announceEarned, announceVoided } from './announce-rewards.ts';
import { firstAnswer, refuseArrival, rememberAnswer, sourceKey } from './arrival.ts';
import { count } from './count.ts';
import { decideAdjustment } from './decide-adjustment.ts';
import { grantLoyaltyRewards, grantReferralRewards, isThere } from './grant-rewards.ts';
import { keepReward } from './keep-reward.ts';
import type { AdjustmentInput } from './normalize-adjustment.ts';
import { addRow, changeRow, type Recorder } from './recorder.ts';
import type { Purchase, PurchaseAdjustment, TrackedEvent, TrackSlice } from './slice.ts';

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
  const purchaseId = slice.purchaseOfKey.get(sourceKey(input.purchase));
  if (purchaseId === null) {
    return { refused: notFound('purchase that counts', 'purchase_not_counted') };
  }
  const purchase = slice.purchases.get(purchaseId ?? '');
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
  const { adjusted, voided } = adjustRewards(slice, recorder, standing, adjustment, rewards);
  announceVoided(slice, recorder, voided);
  if (undone) adjusted.push(...judgeAgain(slice, recorder, standing, adjustment));
  const answer: AdjustmentAnswer = {
    success: true,
    purchaseAdjustmentId: adjustment.id,
    purchaseId: purchase.id,
    rewardAdjustments: adjusted.map(toRewardAdjustment),
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
 * waited, step by step, so that each adjustment has its part. None is lost by that: what
 * refunds leave nothing of is not earned.
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

/**
 * Rules that gave nothing for a purchase because it was refunded when it was decided are applied
 * now that this is undone. What is still refunded of it is taken from what they give.
 */
function judgeAgain(
  slice: TrackSlice,
  recorder: Recorder,
  purchase: Purchase,
  restoration: PurchaseAdjustment,
): RewardAdjustmentRow[] {
  const event = slice.decidedEvents.get(purchase.eventId);
  const rules = event?.explanation?.rules ?? [];
  const again = new Set(
    rules.filter(({ reason }) => reason === 'zero_amount').map(({ ruleId }) => ruleId),
  );
  if (!event || again.size === 0) return [];
  const referral = [...slice.referrals.values()].find(({ id }) => id === event.referralId);
  const judged = [
    ...(referral ? grantReferralRewards(slice, recorder, event, purchase, referral, again) : []),
    ...grantLoyaltyRewards(slice, recorder, event, purchase, again),
  ];
  if (judged.every(({ reason }) => reason === 'zero_amount')) return [];
  const earned = new Set(judged.flatMap(({ rewardId }) => rewardId ?? []));
  const rewards = [...(slice.rewardsOf.get(purchase.id)?.values() ?? [])];
  const late = rewards.filter(({ id }) => earned.has(id));
  const { adjusted } = adjustRewards(slice, recorder, purchase, restoration, late);
  announceEarned(slice, recorder, judged);
  const verdicts = new Map(judged.map((verdict) => [verdict.ruleId, verdict]));
  const explained: TrackedEvent = {
    ...event,
    explanation: {
      candidates: event.explanation?.candidates ?? [],
      rules: rules.map((rule) => verdicts.get(rule.ruleId) ?? rule),
    },
  };
  slice.decidedEvents.set(event.id, explained);
  changeRow(recorder.made.events, explained);
  return adjusted;
}

function adjustRewards(
  slice: TrackSlice,
  recorder: Recorder,
  purchase: Purchase,
  adjustment: PurchaseAdjustment,
  rewards: readonly RewardRow[],
): { adjusted: RewardAdjustmentRow[]; voided: RewardRow[] } {
  const standing = { ...adjustment, amountMinor: BigInt(purchase.amountMinor) };
  const { now, newId } = recorder;
  const adjusted: RewardAdjustmentRow[] = [];
  const voided: RewardRow[] = [];
  for (const before of rewards) {
    const effect = applyRefund(before, findTerms(slice.book, before), standing, now, newId);
    const after = refuseErased(slice, recorder, effect.reward);
    if (after !== before) {
      keepReward(slice, after);
      changeRow(recorder.made.rewards, after);
      count(slice, recorder, differenceOf(figuresOf(before), figuresOf(after)));
    }
    if (after.void !== null && after.void.id !== before.void?.id) voided.push(after);
    if (effect.adjustment !== null && before.currency !== null) {
      const { signedAmountMinor, ...input } = effect.adjustment;
      adjusted.push({
        id: newId('adj'),
        number: recorder.nextNumber('rewardAdjustments'),
        projectId: recorder.projectId,
        purchaseAdjustmentId: adjustment.id,
        rewardId: before.id,
        beneficiaryParticipantId: before.beneficiaryParticipantId,
        purchaseId: purchase.id,
        currency: before.currency,
        signedAmountMinor,
        snapshot: { ...input, newNetMinor: input.previousNetMinor + signedAmountMinor },
        createdAt: now,
        updatedAt: now,
      });
    }
  }
  recorder.made.rewardAdjustments.push(...adjusted);
  return { adjusted, voided };
}

/** What a restoration would make due again to somebody who was erased is voided instead. */
function refuseErased(slice: TrackSlice, recorder: Recorder, reward: RewardRow): RewardRow {
  const { fulfillmentStatus: status } = reward;
  const isOwed = reward.void === null && (status === 'pending' || status === 'in_progress');
  if (!isOwed || isThere(slice, reward.beneficiaryParticipantId)) return reward;
  const why = { reasonCode: 'participant_deleted', reason: null } as const;
  return voidReward(reward, why, recorder.now, recorder.newId);
}
