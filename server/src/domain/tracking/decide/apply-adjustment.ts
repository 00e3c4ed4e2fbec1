import { type AppError, invalid } from '../../../platform/kit/errors.ts';
import { findTerms } from '../../programs/program-book.ts';
import { applyRefund } from '../../rewards/decide/apply-refund.ts';
import { voidReward } from '../../rewards/decide/decide-void.ts';
import { toRewardAdjustment } from '../../rewards/read/present.ts';
import type { RewardAdjustmentRow, RewardRow } from '../../rewards/reward.ts';
import type { Purchase, PurchaseAdjustment, TrackedEvent } from '../batch/facts.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import type { AdjustmentAnswer } from '../billing-schema.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-billing.ts';
import { sourceKey } from '../intake/normalize-event.ts';
import { type AdjustmentDecision, decideAdjustment } from './decide-adjustment.ts';
import {
  announceEarned,
  announceRestored,
  announceVoided,
  grantLoyaltyRewards,
  grantReferralRewards,
  isThere,
} from './grant-rewards.ts';
import { type AdjustmentStep, RULE } from './purchase-standing.ts';

/** Id of a named adjustment that does not exist. */
const UNKNOWN = '';

/** A valid adjustment, and the state of its purchase after it. */
export interface GoodAdjustment {
  readonly purchase: Purchase;
  readonly input: AdjustmentInput;
  readonly step: AdjustmentStep;
  readonly decision: AdjustmentDecision;
}

/** Whether an adjustment of an existing purchase can be taken. */
export function judgeAdjustment(
  view: LedgerView,
  purchase: Purchase,
  input: AdjustmentInput,
  id: string,
): GoodAdjustment | { readonly refused: AppError } {
  if (isOtherCurrency(purchase, input)) {
    return {
      refused: invalid('currency', `must be ${purchase.currency}, the currency of the purchase`),
    };
  }
  const past = view.adjustmentsOf.get(purchase.id) ?? [];
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
  return 'refused' in decision ? decision : { purchase, input, step, decision };
}

export function applyAdjustment(
  ledger: Ledger,
  { purchase, input, step, decision }: GoodAdjustment,
): AdjustmentAnswer {
  const { appliedMinor, refundedMinor, disputedMinor } = decision;
  const adjustment: PurchaseAdjustment = {
    ...step,
    number: ledger.nextNumber('purchaseAdjustments'),
    purchaseId: purchase.id,
    sourceNamespaceId: input.sourceNamespaceId,
    sourceEventId: input.sourceEventId,
    appliedMinor,
    restoredMinor: 0n,
    refundedTotalMinor: refundedMinor,
    disputedTotalMinor: disputedMinor,
    factsHash: input.factsHash,
  };
  const past = ledger.view.adjustmentsOf.get(purchase.id) ?? [];
  const target = past.find(({ id }) => id === step.restoresId);
  if (target) {
    const restoredMinor = target.restoredMinor + (step.amountMinor ?? 0n);
    ledger.changeAdjustment({ ...target, restoredMinor });
  }
  ledger.addAdjustment(adjustment);
  const standing: Purchase = { ...purchase, refundedMinor, disputedMinor };
  ledger.changePurchase(purchase, standing);

  const rewards = rewardsOf(ledger.view, purchase);
  const { adjusted, voided, restored } = adjustRewards(ledger, standing, adjustment, rewards);
  announceVoided(ledger, voided);
  announceRestored(ledger, restored);
  if (input.restores) adjusted.push(...judgeAgain(ledger, standing, adjustment));
  return {
    success: true,
    purchaseAdjustmentId: adjustment.id,
    purchaseId: purchase.id,
    rewardAdjustments: adjusted.map(toRewardAdjustment),
  };
}

function rewardsOf(view: LedgerView, { id }: Purchase): RewardRow[] {
  return [...(view.rewardsOf.get(id)?.values() ?? [])];
}

/** A loss has no currency. */
export function isOtherCurrency(
  purchase: Pick<Purchase, 'currency'>,
  { currency }: Pick<AdjustmentInput, 'currency'>,
): boolean {
  return currency !== null && currency !== purchase.currency;
}

/**
 * Applies to new Rewards what happened to their purchase while it waited, step by step, so that
 * each adjustment has its part. No Reward ends up with nothing: a fully refunded purchase earns
 * none.
 */
export function catchUp(ledger: Ledger, purchase: Purchase, rewardIds: ReadonlySet<string>): void {
  for (const step of ledger.view.adjustmentsOf.get(purchase.id) ?? []) {
    const late = rewardsOf(ledger.view, purchase).filter(({ id }) => rewardIds.has(id));
    adjustRewards(ledger, purchase, step, late);
  }
}

/**
 * Applies rules that gave nothing for a purchase because it was refunded when it was decided, now
 * that the refund is undone. What is still refunded is deducted from the result.
 */
function judgeAgain(
  ledger: Ledger,
  purchase: Purchase,
  restoration: PurchaseAdjustment,
): RewardAdjustmentRow[] {
  const { view } = ledger;
  const event = view.decidedEvents.get(purchase.eventId);
  const rules = event?.explanation?.rules ?? [];
  const again = new Set(
    rules.filter(({ reason }) => reason === 'zero_amount').map(({ ruleId }) => ruleId),
  );
  if (!event || again.size === 0) return [];
  const referral = [...view.referrals.values()].find(({ id }) => id === event.referralId);
  if (event.referralId !== null && !referral) {
    throw new Error(`Event ${event.id} is credited to a referral that was not loaded.`);
  }
  const judged = [
    ...(referral ? grantReferralRewards(ledger, event, referral, again) : []),
    ...grantLoyaltyRewards(ledger, event, again),
  ];
  if (judged.every(({ reason }) => reason === 'zero_amount')) return [];
  const earned = new Set(judged.flatMap(({ rewardId }) => rewardId ?? []));
  const late = rewardsOf(view, purchase).filter(({ id }) => earned.has(id));
  const { adjusted } = adjustRewards(ledger, purchase, restoration, late);
  announceEarned(ledger, judged);
  const verdicts = new Map(judged.map((verdict) => [verdict.ruleId, verdict]));
  const explained: TrackedEvent = {
    ...event,
    explanation: {
      candidates: event.explanation?.candidates ?? [],
      rules: rules.map((rule) => verdicts.get(rule.ruleId) ?? rule),
    },
  };
  ledger.changeEvent(event, explained);
  return adjusted;
}

function adjustRewards(
  ledger: Ledger,
  purchase: Purchase,
  adjustment: PurchaseAdjustment,
  rewards: readonly RewardRow[],
): { adjusted: RewardAdjustmentRow[]; voided: RewardRow[]; restored: RewardRow[] } {
  const standing = { ...adjustment, amountMinor: BigInt(purchase.amountMinor) };
  const { now, newId, projectId } = ledger;
  const adjusted: RewardAdjustmentRow[] = [];
  const voided: RewardRow[] = [];
  const restored: RewardRow[] = [];
  for (const before of rewards) {
    const effect = applyRefund(before, findTerms(ledger.view.book, before), standing, ledger);
    const after = refuseErased(ledger, effect.reward);
    if (after !== before) ledger.changeReward(before, after);
    if (after.void !== null && after.void.id !== before.void?.id) voided.push(after);
    if (before.void !== null && after.void === null) restored.push(after);
    if (effect.adjustment !== null && before.currency !== null) {
      const { signedAmountMinor, ...input } = effect.adjustment;
      const row: RewardAdjustmentRow = {
        id: newId('adj'),
        number: ledger.nextNumber('rewardAdjustments'),
        projectId,
        purchaseAdjustmentId: adjustment.id,
        rewardId: before.id,
        beneficiaryParticipantId: before.beneficiaryParticipantId,
        purchaseId: purchase.id,
        currency: before.currency,
        signedAmountMinor,
        snapshot: { ...input, newNetMinor: input.previousNetMinor + signedAmountMinor },
        createdAt: now,
        updatedAt: now,
      };
      ledger.addRewardAdjustment(row);
      adjusted.push(row);
    }
  }
  return { adjusted, voided, restored };
}

/** If a restoration would make something due again to an erased person, it is voided instead. */
function refuseErased({ view }: Ledger, reward: RewardRow): RewardRow {
  const { fulfillmentStatus: status } = reward;
  const isOwed = reward.void === null && (status === 'pending' || status === 'in_progress');
  if (!isOwed || isThere(view, reward.beneficiaryParticipantId)) return reward;
  const why = { reasonCode: 'participant_deleted', reason: null } as const;
  return voidReward(reward, why, view.now, view.newId);
}
