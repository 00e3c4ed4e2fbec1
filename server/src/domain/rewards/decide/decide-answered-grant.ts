import { type RewardRow, withDelivery } from '../reward.ts';
import { voidForRefund } from './apply-refund.ts';
import { isGrantedByProduct, type Moment } from './reward-decision.ts';
import { type RewardTrigger, transition } from './states.ts';

/**
 * Takes a receiver's answer to `reward.earned` as its word that it granted the Reward. The first
 * record stays. One that was voided or refunded while the answer was on its way has been granted all
 * the same, and is to be taken back, unless it is cash. Returns the same row if nothing changes.
 */
export function decideAnsweredGrant(
  row: RewardRow,
  eventId: string,
  { now, newId }: Moment,
): RewardRow {
  if (!isGrantedByProduct(row) || row.fulfillment !== null) return row;
  const trigger = triggerOf(row);
  const fulfillmentStatus = transition(row.fulfillmentStatus, trigger);
  if (fulfillmentStatus === undefined) return row;
  const isUnvoided = trigger === 'record_late_grant' && row.void === null;
  const granted: RewardRow = {
    ...(isUnvoided ? voidForRefund(row, now, newId) : row),
    fulfillmentStatus,
    fulfillment: {
      id: newId('ful'),
      externalReference: eventId,
      actor: 'webhook',
      occurredAt: now,
    },
    updatedAt: now,
  };
  return withDelivery(granted, now);
}

function triggerOf(row: RewardRow): RewardTrigger {
  if (row.fulfillmentStatus !== 'cancelled') return 'record_grant';
  return row.benefitKind === 'cash' ? 'record_late_kept_grant' : 'record_late_grant';
}
