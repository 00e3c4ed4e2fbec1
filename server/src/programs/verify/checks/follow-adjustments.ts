import type { TermsVersion } from '../../../domain/programs/book/program-book.ts';
import { adjustReward } from '../../../domain/rewards/decide/adjust-reward.ts';
import { applyRefund } from '../../../domain/rewards/decide/apply-refund.ts';
import type { RewardRow } from '../../../domain/rewards/reward.ts';
import { type Difference, difference, differencesOf } from '../finding.ts';
import type { AuditedReward } from '../stores/fact-store.ts';

/**
 * Recomputes a reward's net from its amount through every adjustment, and checks that it ends at
 * the values of the reward and its purchase (D-RWD-11).
 */
export function followAdjustments(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, amountMinor, purchase } = reward;
  const adjustments = reward.adjustments ?? [];
  if (amountMinor === null) {
    const strays = adjustments.map((one) =>
      difference('reward adjustment', one.id, 'rewardId', {
        stored: id,
        expected: 'a reward of money',
      }),
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
    return [
      difference('reward', id, 'net by its adjustments', { stored: netAmountMinor, expected }),
    ];
  }
  // Earlier versions did not take credit back.
  if (reward.benefitKind === 'credit' && reward.fulfillmentStatus === 'fulfilled') return [];
  const shown = (row: RewardRow) => row.void?.reasonCode ?? row.deliveryReason;
  return [
    difference('reward', id, 'void or hold', { stored: shown(before), expected: shown(after) }),
  ];
}
