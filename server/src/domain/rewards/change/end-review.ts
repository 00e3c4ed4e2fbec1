import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { endReview } from '../decide/review-reward.ts';
import { listHeldRewards } from '../held-store.ts';
import { announceChanges, saveRewardChanges } from './save-rewards.ts';

/**
 * Carries out the decision about a referral on its Rewards that are still held, at most `limit`, oldest first; returns
 * how many. Fewer than `limit` means that none is left.
 */
export async function endReviewOfRewards(
  write: ProjectWrite,
  referralId: string,
  isRejected: boolean,
  limit: number,
): Promise<number> {
  const { tx, projectId } = write;
  const before = await listHeldRewards(tx, projectId, referralId, limit);
  if (before.length === 0) return 0;
  const after = before.map((row) => endReview(row, isRejected, write));
  saveRewardChanges(write, before, after);
  const granted = after.filter((row, at) => row.fulfillment !== before[at]?.fulfillment);
  await announceChanges(write, 'reward.fulfilled', granted);
  const voided = after.filter((row, at) => row.void !== before[at]?.void);
  await announceChanges(write, 'reward.voided', voided);
  return before.length;
}
