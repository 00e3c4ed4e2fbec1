import { loadBook } from '../../../domain/programs/load-book.ts';
import {
  type Delivery,
  deliveryOf,
  type FulfillmentStatus,
} from '../../../domain/rewards/decide/states.ts';
import { countsAsGiven } from '../../../domain/rewards/reward.ts';
import { DAY_MS, toMs } from '../../../platform/kit/instant.ts';
import { type Difference, difference, differencesOf } from '../findings.ts';
import { type AuditedReward, listAuditedRewards } from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { type CheckContext, walk } from './check-context.ts';
import { followAdjustments, recomputeReward } from './recompute-reward.ts';

/** Every reward matches its terms, its net matches its adjustments, and its state is possible. */
export async function checkRewards(context: CheckContext): Promise<void> {
  const { tx, projectId } = context;
  const book = await loadBook(tx, projectId);
  const rules = [...book.programs.values()].flatMap((program) => program.rules);
  const termsOf = new Map(rules.flatMap((rule) => rule.terms.map((one) => [one.id, one])));
  const total = await countRows(tx, projectId, 'rewards');
  const pages = listAuditedRewards(tx, projectId);
  await walk(context, { what: 'rewards', total, pages }, (reward) => {
    context.report(checkState(reward));
    const terms = termsOf.get(reward.termsVersionId);
    // Missing terms are reported with the other broken references.
    if (!terms) return;
    context.report(recomputeReward(reward, terms));
    context.report(followAdjustments(reward, terms));
  });
}

/** Whether it was granted, as far as the status alone shows. */
const GRANTED: Readonly<Record<FulfillmentStatus, boolean | null>> = {
  pending: false,
  in_progress: false,
  failed: false,
  fulfilled: true,
  // A returned payout may leave its record.
  cancelled: null,
  revocation_pending: true,
  revoked: true,
};

/** Status, void, records and delivery of a reward are consistent with `states.ts`. */
export function checkState(reward: AuditedReward): Difference[] {
  const { id, fulfillmentStatus: status } = reward;
  const granted = GRANTED[status];
  if (granted === undefined) {
    return [difference(['reward', id], 'fulfillmentStatus', status, 'a known status')];
  }
  const { status: deliveryStatus, reason } = expectedDelivery(reward);
  const found = differencesOf('reward', id, reward, { deliveryStatus, deliveryReason: reason });
  const holdMs = toMs(reward.availableAt) - toMs(reward.earnedAt);
  // The hold of a milestone that was regained began then.
  const isWhole = holdMs % DAY_MS === 0 || reward.milestone !== null;
  if (holdMs < 0 || !isWhole) {
    const expected = `${reward.earnedAt} and whole days`;
    found.push(difference(['reward', id], 'availableAt', reward.availableAt, expected));
  }
  const hasGrant = reward.fulfillment !== null;
  if (granted !== null && hasGrant !== granted) {
    const expected = granted ? 'a record' : null;
    found.push(difference(['reward', id], 'fulfillment', reward.fulfillment, expected));
  }
  if ((reward.revocation !== null) !== (status === 'revoked')) {
    const expected = status === 'revoked' ? 'a record' : null;
    found.push(difference(['reward', id], 'revocation', reward.revocation, expected));
  }
  const expected = statusFault(reward);
  if (expected) found.push(difference(['reward', id], 'fulfillmentStatus', status, expected));
  return found;
}

/**
 * As the last write left it. Earlier versions did not store that a reward granted by the product is
 * on hold; readers derive that.
 */
function expectedDelivery(reward: AuditedReward): Delivery {
  const afterHold = deliveryOf(reward, reward.availableAt);
  const isProducts = reward.method === 'operator' || reward.method === 'manual';
  return isProducts && reward.deliveryStatus === afterHold.status
    ? afterHold
    : deliveryOf(reward, reward.updatedAt);
}

/** What the status should be, if the stored one is impossible. */
function statusFault(reward: AuditedReward): string | null {
  const { fulfillmentStatus: status, benefitKind } = reward;
  const isVoid = reward.void !== null;
  switch (status) {
    case 'pending':
      if (isVoid) return 'cancelled, because it is void';
      return countsAsGiven(reward) ? null : 'cancelled, because nothing is left of it';
    case 'cancelled':
      return countsAsGiven(reward) ? 'pending, because it is neither void nor refunded' : null;
    case 'fulfilled':
      return isVoid && benefitKind !== 'cash' ? 'revocation_pending, because it is void' : null;
    case 'revocation_pending':
    case 'revoked':
      if (benefitKind === 'cash') return 'fulfilled, because cash is never revoked';
      return isVoid ? null : 'fulfilled, because it is not void';
    default:
      return null;
  }
}
