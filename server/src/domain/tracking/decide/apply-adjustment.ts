import { differenceOf } from '../../../platform/figures/tally.ts';
import { type AppError, invalid } from '../../../platform/kit/errors.ts';
import { findTerms } from '../../programs/book/program-book.ts';
import { applyRefund } from '../../rewards/decide/apply-refund.ts';
import { figuresOf } from '../../rewards/decide/reward-figures.ts';
import { voidReward } from '../../rewards/decide/void-reward.ts';
import { toRewardAdjustment } from '../../rewards/read/present.ts';
import type { RewardAdjustmentRow, RewardRow } from '../../rewards/reward.ts';
import type { AdjustmentAnswer } from '../adjustment-schema.ts';
import { count } from '../batch/count.ts';
import { keepReward } from '../batch/keep-reward.ts';
import { addRow, changeRow, type Recorder } from '../batch/recorder.ts';
import type { Purchase, PurchaseAdjustment, TrackedEvent, TrackSlice } from '../batch/slice.ts';
import { sourceKey } from '../intake/arrival.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-adjustment.ts';
import { announceEarned, announceRestored, announceVoided } from './announce-rewards.ts';
import { decideAdjustment } from './decide-adjustment.ts';
import { grantLoyaltyRewards, grantReferralRewards, isThere } from './grant-rewards.ts';
import { type AdjustmentStep, RULE } from './purchase-standing.ts';

export type Adjusted =
  | { readonly answer: AdjustmentAnswer; readonly participantId?: string }
  | { readonly refused: AppError };

/** Of what is named and is not there. */
const UNKNOWN = '';

/** Takes an adjustment of a purchase that is there. Refusals leave the slice as it was. */
export function applyAdjustment(
  slice: TrackSlice,
  recorder: Recorder,
  purchase: Purchase,
  input: AdjustmentInput,
  id: string,
): Adjusted {
  if (isOtherCurrency(purchase, input)) {
    return { refused: invalid('currency', `must be ${purchase.currency}, as the purchase was`) };
  }
  const past = slice.adjustmentsOf.get(purchase.id) ?? [];
  const idOf = (ref: SourceRef | null) =>
    ref && (past.find((one) => sourceKey(one) === sourceKey(ref))?.id ?? UNKNOWN);
  const step: AdjustmentStep = {
    id,
    number: (past.at(-1)?.number ?? 0) + 1,
    kind: input.kind,
    amountMinor: input.amountMinor,
    appliedMinor: 0n,
    restoresId: idOf(input.restores),
    closesId: idOf(input.closes),
    occurredAt: input.occurredAt,
    rule: RULE,
  };
  const decision = decideAdjustment(BigInt(purchase.amountMinor), past, step);
  if ('refused' in decision) return decision;

  const { appliedMinor, refundedMinor, disputedMinor } = decision;
  const adjustment: PurchaseAdjustment = {
    ...step,
    number: recorder.nextNumber('purchaseAdjustments'),
    purchaseId: purchase.id,
    sourceNamespaceId: input.sourceNamespaceId,
    sourceEventId: input.sourceEventId,
    appliedMinor,
    restoredMinor: 0n,
    refundedTotalMinor: refundedMinor,
    disputedTotalMinor: disputedMinor,
    factsHash: input.factsHash,
  };
  addRow(recorder.made.adjustments, adjustment);
  const changed = past.map((one) => countRestored(recorder, one, adjustment));
  slice.adjustmentsOf.set(purchase.id, [...changed, adjustment]);
  const standing: Purchase = { ...purchase, refundedMinor, disputedMinor };
  slice.purchases.set(purchase.id, standing);
  changeRow(recorder.made.purchases, standing);

  const rewards = [...(slice.rewardsOf.get(purchase.id)?.values() ?? [])];
  const { adjusted, voided, restored } = adjustRewards(
    slice,
    recorder,
    standing,
    adjustment,
    rewards,
  );
  announceVoided(slice, recorder, voided);
  announceRestored(slice, recorder, restored);
  if (input.restores) adjusted.push(...judgeAgain(slice, recorder, standing, adjustment));
  const answer: AdjustmentAnswer = {
    success: true,
    purchaseAdjustmentId: adjustment.id,
    purchaseId: purchase.id,
    rewardAdjustments: adjusted.map(toRewardAdjustment),
  };
  return { answer, participantId: purchase.participantId };
}

/** A loss has none. */
export function isOtherCurrency(
  purchase: Pick<Purchase, 'currency'>,
  { currency }: Pick<AdjustmentInput, 'currency'>,
): boolean {
  return currency !== null && currency !== purchase.currency;
}

function countRestored(
  recorder: Recorder,
  one: PurchaseAdjustment,
  { restoresId, amountMinor }: PurchaseAdjustment,
): PurchaseAdjustment {
  if (one.id !== restoresId) return one;
  const restored = { ...one, restoredMinor: one.restoredMinor + (amountMinor ?? 0n) };
  changeRow(recorder.made.adjustments, restored);
  return restored;
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
  for (const step of slice.adjustmentsOf.get(purchase.id) ?? []) {
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
  if (event.referralId !== null && !referral) {
    throw new Error(`Event ${event.id} is credited to a referral that was not loaded.`);
  }
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
): { adjusted: RewardAdjustmentRow[]; voided: RewardRow[]; restored: RewardRow[] } {
  const standing = { ...adjustment, amountMinor: BigInt(purchase.amountMinor) };
  const { now, newId } = recorder;
  const adjusted: RewardAdjustmentRow[] = [];
  const voided: RewardRow[] = [];
  const restored: RewardRow[] = [];
  for (const before of rewards) {
    const effect = applyRefund(before, findTerms(slice.book, before), standing, now, newId);
    const after = refuseErased(slice, recorder, effect.reward);
    if (after !== before) {
      keepReward(slice, after);
      changeRow(recorder.made.rewards, after);
      count(slice, recorder, differenceOf(figuresOf(before), figuresOf(after)));
    }
    if (after.void !== null && after.void.id !== before.void?.id) voided.push(after);
    if (before.void !== null && after.void === null) restored.push(after);
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
  return { adjusted, voided, restored };
}

/** What a restoration would make due again to somebody who was erased is voided instead. */
function refuseErased(slice: TrackSlice, recorder: Recorder, reward: RewardRow): RewardRow {
  const { fulfillmentStatus: status } = reward;
  const isOwed = reward.void === null && (status === 'pending' || status === 'in_progress');
  if (!isOwed || isThere(slice, reward.beneficiaryParticipantId)) return reward;
  const why = { reasonCode: 'participant_deleted', reason: null } as const;
  return voidReward(reward, why, recorder.now, recorder.newId);
}
