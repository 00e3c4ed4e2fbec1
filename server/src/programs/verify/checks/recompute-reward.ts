import type { TermsVersion } from '../../../domain/programs/program-book.ts';
import { applyRefund } from '../../../domain/rewards/decide/apply-refund.ts';
import {
  adjustReward,
  type Calculated,
  calculateReward,
  calculateStep,
  type RewardBase,
} from '../../../domain/rewards/decide/calculate-reward.ts';
import { benefitFields } from '../../../domain/rewards/decide/earn-rewards.ts';
import {
  type Measured,
  type PinnedMilestone,
  type PinnedStep,
  reachMilestone,
} from '../../../domain/rewards/decide/measured-benefit.ts';
import type { RewardRow } from '../../../domain/rewards/reward.ts';
import { type Difference, difference, differencesOf } from '../findings.ts';
import type { AuditedBase, AuditedReward } from '../stores/fact-store.ts';
import { isCreditedFor } from './check-context.ts';

/** Recomputes a reward from its pinned terms and the event that earned it (D-RECALC-1). */
export function recomputeReward(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, event, purchase } = reward;
  const pinned = differencesOf('reward', id, reward, {
    programId: terms.programId,
    ruleId: terms.ruleId,
    beneficiaryRole: terms.beneficiaryRole,
    benefitKind: terms.benefitKind,
    ...(event && { purchaseId: purchase?.id ?? null }),
  });
  return [...pinned, ...recomputeBenefit(reward, terms), ...checkParties(reward, terms)];
}

function recomputeBenefit(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, purchase } = reward;
  if (purchase?.duplicateOf) {
    return [
      difference(['reward', id], 'purchaseId', purchase.id, 'a purchase that is not a duplicate'),
    ];
  }
  const { calculated, terms: sized } = recalculate(reward, terms);
  if ('skipped' in calculated) {
    return [difference(['reward', id], 'amountMinor', reward.amountMinor, calculated.skipped)];
  }
  return differencesOf('reward', id, reward, {
    ...benefitFields(sized, calculated.money),
    arithmetic: calculated.arithmetic,
  });
}

/** By the measure that is pinned with the reward. */
function recalculate({ purchase, arithmetic }: AuditedReward, terms: TermsVersion) {
  const base = purchase && toBase(purchase);
  if (terms.milestone === null) {
    return calculateStep(terms, base, toMeasured(arithmetic?.tier));
  }
  const calculated: Calculated = calculateReward(terms, null);
  if ('skipped' in calculated) return { calculated, terms };
  const before = BigInt(arithmetic?.milestone?.at ?? 1) - 1n;
  const [pinned] = reachMilestone(terms.milestone, before, toMeasured(arithmetic?.milestone));
  const all = { ...calculated.arithmetic, ...(pinned ? { milestone: pinned } : {}) };
  return { calculated: { ...calculated, arithmetic: all }, terms };
}

function toMeasured(pinned: PinnedStep | PinnedMilestone | undefined): Measured {
  return {
    value: BigInt(pinned?.value ?? 0),
    carried: BigInt(pinned?.carried ?? 0),
    rejected: BigInt(pinned?.rejected ?? 0),
    underReview: BigInt((pinned && 'underReview' in pinned && pinned.underReview) || 0),
  };
}

function toBase({ amountMinor, currency, currencyExponent }: AuditedBase): RewardBase {
  return { amountMinor: BigInt(amountMinor), currency, currencyExponent };
}

/**
 * The beneficiary is the one that the referral names, or in a loyalty program the event's
 * participant.
 */
function checkParties(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, event, referral, beneficiaryRole } = reward;
  if (beneficiaryRole === 'subject') {
    return event === null
      ? []
      : differencesOf('reward', id, reward, {
          referralId: null,
          beneficiaryParticipantId: event.participantId,
        });
  }
  if (referral === null) {
    const isNamed = reward.referralId !== null;
    return isNamed ? [] : [difference(['reward', id], 'referralId', null, 'the id of a referral')];
  }
  const found = differencesOf('reward', id, reward, {
    beneficiaryParticipantId: referral[beneficiaryRole],
  });
  if (referral.programId !== terms.programId) {
    found.push(difference(['reward', id], 'referral', referral.programId, terms.programId));
  }
  if (event !== null && !isCreditedFor(event, referral.referee)) {
    found.push(difference(['reward', id], 'event', event.participantId, referral.referee));
  }
  return found;
}

/**
 * Recomputes a reward's net from its amount through every adjustment, and checks that it ends at
 * the values of the reward and its purchase (D-RWD-11).
 */
export function followAdjustments(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, amountMinor, purchase } = reward;
  const adjustments = reward.adjustments ?? [];
  if (amountMinor === null) {
    const strays = adjustments.map((one) =>
      difference(['reward adjustment', one.id], 'rewardId', id, 'a reward of money'),
    );
    return [...strays, ...checkStanding(reward, null, terms)];
  }
  const found: Difference[] = [];
  let net = amountMinor;
  for (const one of adjustments) {
    const input = {
      purchaseAmountMinor: BigInt(purchase?.amountMinor ?? 0),
      refundedTotalMinor: BigInt(one.refundedTotalMinor ?? 0),
      rewardAmountMinor: amountMinor,
      previousNetMinor: net,
      refundPolicy: terms.refundPolicy,
      roundingPolicy: terms.roundingPolicy,
    };
    const { newNetMinor, signedAmountMinor } = adjustReward(input);
    const { purchaseId, currency } = reward;
    found.push(
      ...differencesOf('reward adjustment', one.id, one, {
        purchaseId,
        currency,
        signedAmountMinor,
      }),
      ...differencesOf('reward adjustment', one.id, one.snapshot, { ...input, newNetMinor }),
    );
    net = newNetMinor;
  }
  found.push(...differencesOf('reward', id, reward, { netAmountMinor: net }));
  return [...found, ...checkStanding(reward, net, terms)];
}

/** Every change of the purchase has been applied: applying it again changes nothing. */
function checkStanding(
  reward: AuditedReward,
  netAmountMinor: bigint | null,
  terms: TermsVersion,
): Difference[] {
  const { id, purchase } = reward;
  if (purchase === null) return [];
  // A refund uses none of the fields that are missing here.
  const before = { ...reward, netAmountMinor } as unknown as RewardRow;
  const standing = {
    amountMinor: BigInt(purchase.amountMinor),
    refundedTotalMinor: BigInt(purchase.refundedTotalMinor ?? 0),
    disputedTotalMinor: BigInt(purchase.disputedTotalMinor ?? 0),
  };
  const after = applyRefund(before, terms, standing, {
    now: reward.updatedAt,
    newId: () => '',
  }).reward;
  if (after === before) return [];
  if (after.netAmountMinor !== netAmountMinor) {
    const { netAmountMinor: expected } = after;
    return [difference(['reward', id], 'net by its adjustments', netAmountMinor, expected)];
  }
  // Earlier versions did not take credit back.
  if (reward.benefitKind === 'credit' && reward.fulfillmentStatus === 'fulfilled') return [];
  const shown = (row: RewardRow) => row.void?.reasonCode ?? row.deliveryReason;
  return [difference(['reward', id], 'void or hold', shown(before), shown(after))];
}
