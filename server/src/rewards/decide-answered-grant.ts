import { type RewardRow, withDelivery } from './reward.ts';
import { isGrantedByProduct, type Moment } from './reward-decision.ts';
import { type RewardTrigger, transition } from './states.ts';

/**
 * Takes a receiver's answer to `reward.earned` as its word that it granted the Reward. The first
 * record stays. One that was cancelled while the answer was on its way has been granted all the
 * same: if it was voided, it is to be taken back, unless it is cash. Returns the same row if nothing
 * changes.
 */
export function decideAnsweredGrant(
  row: RewardRow,
  eventId: string,
  { now, newId }: Moment,
): RewardRow {
  if (!isGrantedByProduct(row) || row.fulfillment !== null) return row;
  const fulfillmentStatus = transition(row.fulfillmentStatus, triggerOf(row));
  if (fulfillmentStatus === undefined) return row;
  const granted: RewardRow = {
    ...row,
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
  const isTakenBack = row.void !== null && row.benefitKind !== 'cash';
  return isTakenBack ? 'record_late_grant' : 'record_late_kept_grant';
}
