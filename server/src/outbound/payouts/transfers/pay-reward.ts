import type { Moment } from '../../../domain/rewards/decide/reward-decision.ts';
import {
  type DeliveryReason,
  type RewardTrigger,
  transition as rewardTransition,
} from '../../../domain/rewards/decide/states.ts';
import { countsAsGiven, type RewardRow, withDelivery } from '../../../domain/rewards/reward.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/** Changes of a reward as its line goes through a payout. Each step happens once per line. */

function move(row: RewardRow, trigger: RewardTrigger): RewardRow['fulfillmentStatus'] {
  const to = rewardTransition(row.fulfillmentStatus, trigger);
  if (!to) throw new Error(`Reward ${row.id} cannot ${trigger} from ${row.fulfillmentStatus}.`);
  return to;
}

/** The reward got a line in a payout and waits for that, whatever it waited for before. */
export function reserveLine(row: RewardRow, payoutId: string, now: Instant): RewardRow {
  if (row.payoutId !== null) throw new Error(`Reward ${row.id} is already in ${row.payoutId}.`);
  const reserved: RewardRow = { ...row, payoutId, deliveryReason: null, updatedAt: now };
  return withDelivery(reserved, now);
}

/** The line is frozen. A reward that was paid before and is only corrected stays fulfilled. */
export function startPaying(row: RewardRow, now: Instant): RewardRow {
  if (row.fulfillmentStatus !== 'pending') return row;
  const started: RewardRow = { ...row, fulfillmentStatus: move(row, 'submit'), updatedAt: now };
  return withDelivery(started, now);
}

export interface PaidBy {
  readonly payoutId: string;
  readonly providerReference: string | null;
}

export function settleLine(
  row: RewardRow,
  amountMinor: bigint,
  by: PaidBy,
  { now, newId }: Moment,
): RewardRow {
  const paidMinor = row.paidMinor + amountMinor;
  const settled: RewardRow = { ...row, paidMinor, payoutId: null, updatedAt: now };
  const status = statusWhenPaid(row, paidMinor);
  if (status === row.fulfillmentStatus) return withDelivery(settled, now);
  return withDelivery(
    {
      ...settled,
      fulfillmentStatus: status,
      providerReference: by.providerReference,
      fulfillment: {
        id: newId('ful'),
        externalReference: by.payoutId,
        occurredAt: now,
        actor: 'service',
      },
    },
    now,
  );
}

/**
 * Other payouts of the reward may have been returned meanwhile, which took a fulfilled reward to
 * `pending` or `cancelled`. It then counts as paid only if some money stayed.
 */
function statusWhenPaid(row: RewardRow, paidMinor: bigint): RewardRow['fulfillmentStatus'] {
  switch (row.fulfillmentStatus) {
    case 'in_progress':
      return move(row, 'confirm');
    case 'pending':
      if (paidMinor <= 0n) return 'pending';
      return move({ ...row, fulfillmentStatus: move(row, 'submit') }, 'confirm');
    case 'cancelled':
      return paidMinor <= 0n ? 'cancelled' : move(row, 'record_late_kept_grant');
    default:
      return row.fulfillmentStatus;
  }
}

/** The payout was not paid. `reason` is what the reward waits for now; null for the next payout. */
export function releaseLine(
  row: RewardRow,
  reason: DeliveryReason | null,
  now: Instant,
): RewardRow {
  const released: RewardRow = { ...row, payoutId: null, deliveryReason: reason, updatedAt: now };
  if (row.fulfillmentStatus !== 'in_progress') return withDelivery(released, now);
  const trigger = countsAsGiven(row) ? 'release' : 'release_unowed';
  return withDelivery({ ...released, fulfillmentStatus: move(row, trigger) }, now);
}

/** The payout was returned, before or after it was paid. */
export function returnLine(
  row: RewardRow,
  amountMinor: bigint,
  wasSettled: boolean,
  now: Instant,
): RewardRow {
  if (!wasSettled) return releaseLine(row, 'payout_returned', now);
  const paidMinor = row.paidMinor - amountMinor;
  const returned: RewardRow = { ...row, paidMinor, updatedAt: now };
  if (row.fulfillmentStatus !== 'fulfilled') return withDelivery(returned, now);
  if (paidMinor !== 0n) {
    return withDelivery({ ...returned, fulfillmentStatus: move(row, 'return_part') }, now);
  }
  const trigger = countsAsGiven(row) ? 'return_owed' : 'return_unowed';
  return withDelivery(
    {
      ...returned,
      fulfillmentStatus: move(row, trigger),
      deliveryReason: 'payout_returned',
      fulfillment: null,
      providerReference: null,
    },
    now,
  );
}
