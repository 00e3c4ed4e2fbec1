import { type RewardRow, withDelivery } from '../reward.ts';
import { decideAnsweredGrant } from './decide-answered-grant.ts';
import { milestoneAt } from './lose-milestone.ts';
import type { Moment } from './reward-decision.ts';

/** A measure, and how much of it would be gone if every open dispute was lost and every open review ended with a rejection. */
export interface StakedMeasure {
  readonly value: bigint;
  readonly disputed: bigint;
  readonly underReview: bigint;
  /** What is part of both. */
  readonly both: bigint;
}

/** What is left of a measure in the worst case of disputes, of reviews, and of both. */
export function worstOf({ value, disputed, underReview, both }: StakedMeasure) {
  return {
    ofDisputes: value - disputed,
    ofReviews: value - underReview,
    ofBoth: value - disputed - underReview + both,
  };
}

/**
 * The Reward of a milestone that is reached, but only with disputed purchases or with referrals under review: it is on
 * hold until these are decided, or others carry it. What is in progress or granted keeps its status; if it comes back, it
 * is not paid again meanwhile. A response that it was granted is recorded when its reviews end. The same row if nothing
 * changes.
 */
export function holdMilestone(
  reward: RewardRow,
  measured: StakedMeasure,
  moment: Moment,
): RewardRow {
  const { isDisputed, isUnderReview } =
    reward.void === null ? stakesAt(milestoneAt(reward), measured) : voided(reward);
  if (isDisputed === reward.isDisputed && isUnderReview === reward.isUnderReview) return reward;
  const { now } = moment;
  const after = withDelivery({ ...reward, isDisputed, isUnderReview, updatedAt: now }, now);
  const { answeredEventId } = after;
  if (isUnderReview || answeredEventId === null) return after;
  return decideAnsweredGrant({ ...after, answeredEventId: null }, answeredEventId, moment);
}

/** No review changes what is voided, so that nothing waits for one. */
function voided({ isDisputed }: RewardRow) {
  return { isDisputed, isUnderReview: false };
}

/** Why a milestone is held. Of what is lost only if both go wrong, the dispute is the reason if it is enough. */
function stakesAt(at: bigint, measured: StakedMeasure) {
  if (measured.value < at) return { isDisputed: false, isUnderReview: false };
  const { ofDisputes, ofReviews, ofBoth } = worstOf(measured);
  const isDisputed = ofDisputes < at;
  return { isDisputed, isUnderReview: ofReviews < at || (ofBoth < at && !isDisputed) };
}
