import { findParties } from '../../../domain/participants/queries.ts';
import type { ParticipantKind } from '../../../domain/participants/schema.ts';
import { listRewardIdsOfReferral } from '../../../domain/rewards/queries.ts';
import { showReviews } from '../../../domain/risk/reviews/list-reviews.ts';
import type { ReviewRow } from '../../../domain/risk/reviews/review.ts';
import { loadReview } from '../../../domain/risk/reviews/save-reviews.ts';
import type { RiskReview, RiskReviewDetail } from '../../../domain/risk/schema.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { drawRing } from './draw-ring.ts';
import {
  countPurchases,
  listMarks,
  listOtherReferrals,
  listReferrersAbove,
  type OtherReferral,
} from './review-queries.ts';

const OTHERS_MAX = 50;
const REWARDS_MAX = 100;
/** How many referrers above the referrer are looked at for a circle. */
const ABOVE_MAX = 20;

/** A review with what helps to decide it. Fails with NOT_FOUND. */
export async function showReview(
  db: Queryable,
  projectId: string,
  reviewId: string,
): Promise<RiskReviewDetail> {
  const row = await loadReview(db, projectId, reviewId);
  if (!row) throw notFound('review');
  const { referralId, referrerParticipantId: referrerId } = row;
  const [[shown], [bought], others, rewardIds] = await Promise.all([
    showReviews(db, projectId, [row]),
    countPurchases(db, projectId, referralId),
    listOtherReferrals(db, projectId, referrerId, referralId, OTHERS_MAX),
    listRewardIdsOfReferral(db, projectId, referralId, REWARDS_MAX),
  ]);
  const ring = await findRing(db, projectId, row, others);
  const people = [...ring.people, ...others.map((one) => one.refereeParticipantId)];
  const parties = await findParties(db, projectId, people);
  const partyOf = (id: string) => {
    const party = parties.get(id);
    if (!party) throw new Error(`Participant ${id} of a review does not exist.`);
    return { ...party, kind: party.kind as ParticipantKind };
  };
  return {
    ...(shown as RiskReview),
    purchases: bought?.purchases ?? 0,
    refundedPurchases: bought?.refundedPurchases ?? 0,
    otherReferrals: others.map(({ refereeParticipantId, ...other }) => ({
      ...other,
      referee: partyOf(refereeParticipantId),
    })),
    rewardIds,
    ring: { people: ring.people.map(partyOf), links: ring.links },
  };
}

async function findRing(
  db: Queryable,
  projectId: string,
  { referrerParticipantId: referrerId, refereeParticipantId: refereeId }: ReviewRow,
  others: readonly OtherReferral[],
) {
  const referees = [refereeId, ...others.map((one) => one.refereeParticipantId)];
  const [above, marks] = await Promise.all([
    listReferrersAbove(db, projectId, referrerId, ABOVE_MAX),
    listMarks(db, projectId, [...new Set([referrerId, ...referees])]),
  ]);
  const below = referees.map((to) => ({ from: referrerId, to }));
  // In a circle the referrer is above themselves.
  const isBelow = new Set(referees);
  const referrals = [
    ...below,
    ...above.filter(({ from, to }) => !(from === referrerId && isBelow.has(to))),
  ];
  return drawRing({ referrerId, refereeId, referrals, marks });
}
