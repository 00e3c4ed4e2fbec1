import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ReviewRow } from './review.ts';
import { clearNotes, findReview, insertReviews, updateReviews } from './review-store.ts';

/** Saves opened reviews in one statement. */
export function saveReviews(tx: Tx, projectId: string, reviews: readonly ReviewRow[]): void {
  insertReviews(tx, projectId, reviews);
}

export function loadReview(
  db: Queryable,
  projectId: string,
  reviewId: string,
): Promise<ReviewRow | undefined> {
  return findReview(db, projectId, reviewId);
}

/** Saves what can change of a review: its decision, and whether that was carried out. */
export function saveReview(tx: Tx, review: ReviewRow): void {
  updateReviews(tx, review.projectId, [review]);
}

/** Clears the notes of reviews about somebody. The reviews stay: they explain what was paid, and what was not. */
export async function eraseNotes(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  clearNotes(tx, projectId, participantId);
}
