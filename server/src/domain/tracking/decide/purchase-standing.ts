import type { Instant } from '../../../platform/kit/instant.ts';
import { smallerOf } from '../../../platform/kit/money.ts';
import type { AdjustmentKind } from '../billing-schema.ts';

/** The version of the rules that decided an adjustment: in the first one, no refund settled a disputed amount. */
export const FIRST_RULE = 1;
export const RULE = 2;

/** One adjustment of a purchase, with the fields that affect the others. */
export interface AdjustmentStep {
  readonly id: string;
  readonly number: number;
  readonly kind: AdjustmentKind;
  /** Null for a `dispute_lost`. */
  readonly amountMinor: bigint | null;
  readonly appliedMinor: bigint;
  readonly restoresId: string | null;
  readonly closesId: string | null;
  readonly occurredAt: Instant;
  readonly rule: number;
}

export interface Standing {
  /** Total refunded or disputed so far: never above the purchase. */
  readonly refundedMinor: bigint;
  /** The part of it that may be restored. */
  readonly disputedMinor: bigint;
  /** The refunded amount, less what was restored of it. */
  readonly refundsMinor: bigint;
  /** The amount lost in disputes before the step in question. */
  readonly lostBeforeMinor: bigint;
}

interface Dispute {
  readonly rule: number;
  /** The part that no refund has settled. By the first rule: what it took and has not given back. */
  claimMinor: bigint;
  wonMinor: bigint;
  isLost: boolean;
}

/**
 * The state of a purchase after these adjustments (D-ADJ-1). They count in the order in which they
 * occurred, not in which they were reported: a late report has the same result as a timely one.
 *
 * - A refund counts with the part that was not restored. While a dispute is open the refund settles
 *   the claim first, and takes from the rest only what exceeds it.
 * - A dispute claims its amount and holds as much of it as is left of the purchase; more, if a
 *   refund fails or an older dispute is won. The part that was won is deducted from what it holds,
 *   and is available to others. Losing it makes the rest final: no later refund settles that.
 */
export function standingOf(
  amountMinor: bigint,
  steps: readonly AdjustmentStep[],
  askedId?: string,
): Standing {
  const restored = restoredOf(steps);
  const disputes = new Map<string, Dispute>();
  let refundsMinor = 0n;
  let lostBeforeMinor = 0n;
  for (const step of inOrder(steps)) {
    if (step.id === askedId) {
      lostBeforeMinor = sumOf(heldBy(disputes, amountMinor - refundsMinor), true);
    }
    const dispute = disputes.get(step.restoresId ?? step.closesId ?? '');
    const stepMinor = step.amountMinor ?? 0n;
    if (step.kind === 'refund') {
      const takenMinor = stepMinor - (restored.get(step.id) ?? 0n);
      if (step.rule !== FIRST_RULE) {
        settleClaims(heldBy(disputes, amountMinor - refundsMinor), takenMinor);
      }
      refundsMinor += takenMinor;
    } else if (step.kind === 'dispute') {
      const claimMinor = step.rule === FIRST_RULE ? step.appliedMinor : stepMinor;
      disputes.set(step.id, { rule: step.rule, claimMinor, wonMinor: 0n, isLost: false });
    } else if (dispute && step.kind === 'dispute_lost') {
      dispute.isLost = true;
    } else if (dispute?.rule === FIRST_RULE) {
      dispute.claimMinor = notBelowZero(dispute.claimMinor - stepMinor);
    } else if (dispute) {
      dispute.wonMinor += stepMinor;
    }
  }
  const held = heldBy(disputes, amountMinor - refundsMinor);
  const openMinor = sumOf(held, false);
  return {
    refundedMinor: refundsMinor + sumOf(held, true) + openMinor,
    disputedMinor: openMinor,
    refundsMinor,
    lostBeforeMinor,
  };
}

/** How much of each refund and dispute was restored. */
export function restoredOf(steps: readonly AdjustmentStep[]): Map<string, bigint> {
  const restored = new Map<string, bigint>();
  for (const { restoresId, amountMinor } of steps) {
    if (restoresId === null) continue;
    restored.set(restoresId, (restored.get(restoresId) ?? 0n) + (amountMinor ?? 0n));
  }
  return restored;
}

/**
 * Orders by time, but a step never precedes what it restores or closes, nor is a dispute lost
 * before part of it was won, whatever times were reported.
 */
function inOrder(steps: readonly AdjustmentStep[]): AdjustmentStep[] {
  const latest = new Map(steps.map((step) => [step.id, step.occurredAt]));
  for (const { restoresId, occurredAt } of steps) {
    if (restoresId !== null && occurredAt > (latest.get(restoresId) ?? '')) {
      latest.set(restoresId, occurredAt);
    }
  }
  const begun = new Map(steps.map((step) => [step.id, step.occurredAt]));
  const timeOf = ({ restoresId, closesId, occurredAt }: AdjustmentStep): Instant => {
    const earliest = begun.get(restoresId ?? '') ?? latest.get(closesId ?? '') ?? '';
    return earliest > occurredAt ? earliest : occurredAt;
  };
  const timed = steps.map((step) => ({ step, at: timeOf(step) }));
  timed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.step.number - b.step.number));
  return timed.map(({ step }) => step);
}

/**
 * Settles open disputes first, oldest first. A larger refund takes back what was won of a lost
 * dispute: the lost part stays lost.
 */
function settleClaims(held: readonly Held[], refundMinor: bigint): void {
  let restMinor = refundMinor;
  for (const { dispute, heldMinor } of held) {
    if (dispute.isLost) continue;
    const settledMinor = smallerOf(heldMinor, restMinor);
    dispute.claimMinor -= settledMinor;
    restMinor -= settledMinor;
  }
  for (const { dispute } of held) {
    if (!dispute.isLost) continue;
    const freeMinor = smallerOf(dispute.wonMinor, restMinor);
    dispute.claimMinor -= freeMinor;
    dispute.wonMinor -= freeMinor;
  }
}

interface Held {
  readonly dispute: Dispute;
  readonly heldMinor: bigint;
}

/** What disputes hold of a purchase with this unrefunded amount: older ones first. */
function heldBy(disputes: ReadonlyMap<string, Dispute>, unrefundedMinor: bigint): Held[] {
  let restMinor = notBelowZero(unrefundedMinor);
  return [...disputes.values()].map((dispute) => {
    const foundMinor = smallerOf(dispute.claimMinor, restMinor);
    const heldMinor = notBelowZero(foundMinor - dispute.wonMinor);
    restMinor -= heldMinor;
    return { dispute, heldMinor };
  });
}

function sumOf(held: readonly Held[], isLost: boolean): bigint {
  return held.reduce((sum, one) => (one.dispute.isLost === isLost ? sum + one.heldMinor : sum), 0n);
}

function notBelowZero(minor: bigint): bigint {
  return minor > 0n ? minor : 0n;
}
