import { expect, test } from 'vitest';
import { aReview } from '../../../../test/review-row.ts';
import { decideReview } from './decide-review.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const LATER = '2026-11-17T08:00:00.000Z';
const by = { note: 'Same flat.', decidedBy: 'user:ada' };

test.each([
  ['approve', 'approved'],
  ['reject', 'rejected'],
] as const)('an open review takes the decision to %s, once', (decision, status) => {
  const decided = decideReview(aReview(), { decision, ...by }, NOW);
  const review = 'review' in decided ? decided.review : expect.fail();
  expect(review).toEqual({ ...aReview(), status, decidedAt: NOW, ...by });
  const other = { decision, note: 'Another.', decidedBy: 'user:bob' };
  const again = decideReview(review, other, LATER);
  expect('review' in again && again.review).toBe(review);
  const opposite = decision === 'approve' ? 'reject' : 'approve';
  expect(decideReview(review, { decision: opposite, ...by }, LATER)).toMatchObject({
    refused: { code: 'CONFLICT', reason: 'review_decided' },
  });
});
