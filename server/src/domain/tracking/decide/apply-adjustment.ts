import { type AppError, invalid } from '../../../platform/kit/errors.ts';
import { findTerms, type ProgramBook } from '../../programs/program-book.ts';
import { applyRefund } from '../../rewards/decide/apply-refund.ts';
import { voidReward } from '../../rewards/decide/decide-void.ts';
import type { SkipReason } from '../../rewards/decide/earn-rewards.ts';
import { toRewardAdjustment } from '../../rewards/read/present.ts';
import type { RewardAdjustmentRow, RewardRow } from '../../rewards/reward.ts';
import type { ExplainedRule, Purchase, PurchaseAdjustment } from '../batch/facts.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import type { AdjustmentAnswer } from '../billing-schema.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-billing.ts';
import { sourceKey } from '../intake/normalize-event.ts';
import { type AdjustmentDecision, decideAdjustment } from './decide-adjustment.ts';
import {
  addedBy,
  announceEarned,
  announceRestored,
  announceVoided,
  grantLoyaltyRewards,
  grantReferralRewards,
  isThere,
} from './grant-rewards.ts';
import { type AdjustmentStep, RULE } from './purchase-standing.ts';
import { settleMilestones } from './settle-milestones.ts';

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
  settleMilestones(ledger, purchase.id);

  const rewards = rewardsOf(ledger.view, purchase);
  const { adjusted, voided, restored } = adjustRewards(ledger, standing, adjustment, rewards);
  announceVoided(ledger, voided);
  announceRestored(ledger, restored);
  if (input.restores) adjusted.push(...judgeAgain(ledger, purchase, standing, adjustment));
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
 * Applies rules that gave nothing for a purchase because it was refunded when it was decided, and those of
 * milestones that it could earn, now that the refund is undone. What is still refunded is deducted from the result.
 */
function judgeAgain(
  ledger: Ledger,
  before: Purchase,
  purchase: Purchase,
  restoration: PurchaseAdjustment,
): RewardAdjustmentRow[] {
  const { view } = ledger;
  const event = view.decidedEvents.get(purchase.eventId);
  const rules = event?.explanation?.rules ?? [];
  const again = rules.filter(
    (rule) => isRefundedAway(rule) || (dependsOnMeasure(rule) && isOfMilestone(view.book, rule)),
  );
  if (!event || again.length === 0) return [];
  const referral = [...view.referrals.values()].find(({ id }) => id === event.referralId);
  if (event.referralId !== null && !referral) {
    throw new Error(`Event ${event.id} is credited to a referral that was not loaded.`);
  }
  const was = addedBy(before);
  const is = addedBy(purchase);
  const added = {
    ...is,
    purchases: is.purchases - was.purchases,
    revenue: is.revenue - was.revenue,
  };
  const judging = { ruleIds: new Set(again.map(({ ruleId }) => ruleId)), added };
  const judged = [
    ...(referral ? grantReferralRewards(ledger, event, referral, judging) : []),
    ...grantLoyaltyRewards(ledger, event, judging),
  ];
  const earned = new Set(judged.flatMap(({ rewardId }) => rewardId ?? []));
  const late = rewardsOf(view, purchase).filter(({ id }) => earned.has(id));
  const { adjusted } = adjustRewards(ledger, purchase, restoration, late);
  settleMilestones(ledger, purchase.id);
  announceEarned(ledger, judged);
  const explained = explainAgain(rules, judged);
  if (explained !== rules) {
    const before = event.explanation ?? { candidates: [] };
    ledger.changeEvent(event, { ...event, explanation: { ...before, rules: explained } });
  }
  return adjusted;
}

/** Whether a rule gave nothing because the purchase was refunded. */
function isRefundedAway({ reason }: ExplainedRule): boolean {
  return reason === 'zero_amount';
}

/** Whether a milestone was earned, or its measure was the reason why not. Any other reason stays. */
function dependsOnMeasure({ reason }: ExplainedRule): boolean {
  return reason === null || MEASURED.has(reason);
}

const MEASURED: ReadonlySet<SkipReason> = new Set([
  'milestone_not_reached',
  'milestone_passed',
  'already_earned',
]);

function isOfMilestone({ programs }: ProgramBook, rule: ExplainedRule): boolean {
  const terms = [...programs.values()]
    .flatMap(({ rules }) => rules.find(({ id }) => id === rule.ruleId)?.terms ?? [])
    .find(({ id }) => id === rule.termsVersionId);
  return (terms?.milestone ?? null) !== null;
}

/**
 * The verdicts after some rules were judged again; the same list if none changed. What a milestone had earned
 * before stays beside what it earns now.
 */
function explainAgain(
  before: readonly ExplainedRule[],
  judged: readonly ExplainedRule[],
): readonly ExplainedRule[] {
  const known = new Set(before.flatMap(({ rewardId }) => rewardId ?? []));
  const news = judged.filter((rule) =>
    rule.rewardId === null
      ? before.some((old) => old.ruleId === rule.ruleId && isRefundedAway(old)) &&
        !isRefundedAway(rule)
      : !known.has(rule.rewardId),
  );
  if (news.length === 0) return before;
  const newsOf = (ruleId: string) => news.filter((rule) => rule.ruleId === ruleId);
  const ruleIds = [...new Set(before.map(({ ruleId }) => ruleId))];
  return ruleIds.flatMap((ruleId) => [
    ...before.filter(
      (rule) => rule.ruleId === ruleId && (rule.rewardId !== null || newsOf(ruleId).length === 0),
    ),
    ...newsOf(ruleId),
  ]);
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
