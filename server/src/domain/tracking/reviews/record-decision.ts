import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { type ProjectWrite, SLICE } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { differenceOf } from '../../../platform/figures/tally.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { authorOf } from '../../programs/program-deps.ts';
import { endReviewOfRewards } from '../../rewards/change/end-review.ts';
import { decideReview } from '../../risk/reviews/decide-review.ts';
import type { ReviewRow } from '../../risk/reviews/review.ts';
import { reviewData } from '../../risk/reviews/review-data.ts';
import { loadReview, saveReview } from '../../risk/reviews/save-reviews.ts';
import { signalFiguresOf } from '../../risk/reviews/signal-figures.ts';
import type { DecideReview } from '../../risk/schema.ts';
import { updateReviewStatuses } from '../batch/fact-store.ts';
import { countDecision, settleMilestonesOf } from './count-decision.ts';

/**
 * Decides a review and carries it out on the Rewards of the referral and the milestones that wait for it, in slices. What
 * was not settled yet is on hold. Facts that arrive in between see the
 * decision. A repeat continues what was interrupted. Fails with NOT_FOUND, or CONFLICT `review_decided` after the other
 * decision.
 */
export async function recordDecision(
  writer: ProjectWriter,
  request: WriteRequest,
  reviewId: string,
  { decision, note = null }: DecideReview,
): Promise<void> {
  const isUnfinished = await writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const before = await loadReview(tx, projectId, reviewId);
    if (!before) throw notFound('review');
    const decidedBy = authorOf(request.actor);
    const decided = decideReview(before, { decision, note, decidedBy }, now);
    if ('refused' in decided) throw decided.refused;
    const { review } = decided;
    if (review === before) return { answer: before.isUnfinished };
    updateReviewStatuses(tx, projectId, [{ id: review.referralId, reviewStatus: review.status }]);
    saveFigures(tx, projectId, differenceOf(signalFiguresOf(before), signalFiguresOf(review)));
    write.append('risk.review_decided', reviewData(review));
    recordAudit(write, request, {
      action: `risk_review.${decision}`,
      targetType: 'risk_review',
      targetId: reviewId,
      // Without the note: free text may name people, and this log outlives their erasure.
      changes: { status: review.status, referralId: review.referralId },
    });
    await countDecision(write, review);
    const settled = await carryOut(write, review, 0);
    saveReview(tx, { ...review, isUnfinished: settled !== null });
    return { answer: settled !== null };
  });
  // An idempotency key belongs to the decision itself.
  if (isUnfinished) await finishReview(writer, { ...request, idempotency: null }, reviewId);
}

/**
 * Carries out a decision on a slice of the Rewards: those of the referral, then the milestones of both sides above a
 * number. Returns the number of the last one that was settled; null if nothing is left.
 */
async function carryOut(
  write: ProjectWrite,
  review: ReviewRow,
  above: number,
): Promise<number | null> {
  const { referralId, status } = review;
  const held = await endReviewOfRewards(write, referralId, status === 'rejected', SLICE);
  return held === SLICE ? above : settleMilestonesOf(write, review, { above, limit: SLICE });
}

/** Carries out a decision on the Rewards that are left. Any number of processes may do it at once. */
export async function finishReview(
  writer: ProjectWriter,
  request: WriteRequest,
  reviewId: string,
): Promise<void> {
  let settled: number | null = 0;
  while (settled !== null) {
    const above: number = settled;
    settled = await writer.run<number | null>(request, async (write) => {
      const review = await loadReview(write.tx, write.projectId, reviewId);
      if (!review?.isUnfinished) return { answer: null };
      const last = await carryOut(write, review, above);
      if (last === null) saveReview(write.tx, { ...review, isUnfinished: false });
      return { answer: last };
    });
  }
}
