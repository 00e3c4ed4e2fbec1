import { type RewardRow, withDelivery } from '../reward.ts';
import { voidForRefund } from './apply-refund.ts';
import { isGrantedByProduct, type Moment } from './reward-decision.ts';
import { type RewardTrigger, transition } from './states.ts';

/**
 * Treats a receiver's response to `reward.earned` as confirmation that it granted the Reward. The
 * first record stays. A Reward that was voided or refunded before the response arrived was still
 * granted, and must be revoked unless it is cash. During a review only the response is kept: the
 * decision records the grant. Returns the same row if nothing changes.
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
  if (row.isUnderReview) {
    return row.answeredEventId === null
      ? { ...row, answeredEventId: eventId, updatedAt: now }
      : row;
  }
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
