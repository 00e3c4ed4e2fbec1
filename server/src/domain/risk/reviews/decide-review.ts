import { type AppError, conflict } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ReviewRow } from './review.ts';

export interface Decision {
  readonly decision: 'approve' | 'reject';
  readonly note: string | null;
  readonly decidedBy: string;
}

const STATUS = { approve: 'approved', reject: 'rejected' } as const;

/** The review after a decision, the same row for a repeat: the first note and its author stay. */
export function decideReview(
  review: ReviewRow,
  { decision, note, decidedBy }: Decision,
  now: Instant,
): { readonly review: ReviewRow } | { readonly refused: AppError } {
  const status = STATUS[decision];
  if (review.status === status) return { review };
  if (review.status !== 'open') {
    return { refused: conflict('review_decided', `This review is already ${review.status}.`) };
  }
  return { review: { ...review, status, decidedAt: now, decidedBy, note } };
}
