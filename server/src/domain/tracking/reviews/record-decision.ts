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
import { leaveOutOfMeasures } from './reject-referral.ts';

/**
 * Decides a review and carries it out on the Rewards of the referral, in slices. Facts that arrive in between see the
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
    if (review.status === 'rejected') await leaveOutOfMeasures(write, review);
    const isMore = await carryOut(write, review);
    saveReview(tx, { ...review, isUnfinished: isMore });
    return { answer: isMore };
  });
  // An idempotency key belongs to the decision itself.
  if (isUnfinished) await finishReview(writer, { ...request, idempotency: null }, reviewId);
}

/** Whether Rewards may be left to do. */
async function carryOut(write: ProjectWrite, { referralId, status }: ReviewRow): Promise<boolean> {
  return (await endReviewOfRewards(write, referralId, status === 'rejected', SLICE)) === SLICE;
}

/** Carries out a decision on the Rewards that are left. Any number of processes may do it at once. */
export async function finishReview(
  writer: ProjectWriter,
  request: WriteRequest,
  reviewId: string,
): Promise<void> {
  let isUnfinished = true;
  while (isUnfinished) {
    isUnfinished = await writer.run(request, async (write) => {
      const review = await loadReview(write.tx, write.projectId, reviewId);
      if (!review?.isUnfinished) return { answer: false };
      const isMore = await carryOut(write, review);
      saveReview(write.tx, { ...review, isUnfinished: isMore });
      return { answer: isMore };
    });
  }
}
