import type { Instant } from '../../../platform/kit/instant.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import { decideAnsweredGrant } from './decide-answered-grant.ts';
import { decideVoid } from './decide-void.ts';
import type { Moment } from './reward-decision.ts';
import type { FulfillmentStatus } from './states.ts';

/**
 * The review of its referral was opened: nothing is granted until it is decided. One that is in progress was already
 * sent, so its outcome decides. Granted ones are held as well: a returned payout must not be paid again meanwhile. The
 * Reward of a milestone is not of one referral: its measure decides (`holdMilestone`).
 */
export function holdForReview(row: RewardRow, now: Instant): RewardRow {
  if (row.isUnderReview || row.milestone !== null) return row;
  return withDelivery({ ...row, isUnderReview: true, updatedAt: now }, now);
}

/** Statuses in which it was not granted, and could still be: a restoration makes a cancelled one due again. */
const UNSETTLED: readonly FulfillmentStatus[] = ['pending', 'in_progress', 'failed', 'cancelled'];

/**
 * The review was decided. A rejection voids what was not granted. What a receiver reported to have granted meanwhile
 * is recorded now: after a rejection it must be taken back, unless it is cash. The same row if it is not under review, or
 * of a milestone, which what is left of its measure decides about.
 */
export function endReview(row: RewardRow, isRejected: boolean, moment: Moment): RewardRow {
  if (!row.isUnderReview || row.milestone !== null) return row;
  const { answeredEventId } = row;
  const judged = isRejected ? voidAsFraud(row, moment) : row;
  const { now } = moment;
  const free = withDelivery(
    { ...judged, isUnderReview: false, answeredEventId: null, updatedAt: now },
    now,
  );
  return answeredEventId === null ? free : decideAnsweredGrant(free, answeredEventId, moment);
}

/** Also replaces a void that the system made, so that nothing lifts it. A caller's void stays. */
function voidAsFraud(row: RewardRow, moment: Moment): RewardRow {
  if (!UNSETTLED.includes(row.fulfillmentStatus)) return row;
  const decision = decideVoid(row, { reasonCode: 'fraud', reason: null }, moment);
  return 'reward' in decision ? decision.reward : row;
}
