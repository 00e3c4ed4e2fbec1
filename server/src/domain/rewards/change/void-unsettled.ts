import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { voidReward } from '../decide/decide-void.ts';
import type { RewardVoid } from '../reward.ts';
import { hasUnsettledRewards, listUnsettledRewards } from '../store.ts';
import { announceChanges } from './announce-changes.ts';
import { saveRewardChanges } from './queries.ts';

/** Whether anything of theirs is pending or on its way, be it voided or not. */
export function isWaitingForRewards(
  { tx, projectId }: { readonly tx: Queryable; readonly projectId: string },
  participantId: string,
): Promise<boolean> {
  return hasUnsettledRewards(tx, projectId, participantId);
}

/**
 * Voids what a participant still waits for, at most `limit` Rewards and the oldest first;
 * returns how many that were. Fewer than `limit` means that nothing is left to void: what is
 * in progress stays so, voided, until its outcome is known.
 */
export async function voidUnsettled(
  write: ProjectWrite,
  participantId: string,
  reasonCode: RewardVoid['reasonCode'],
  limit: number,
): Promise<number> {
  const { tx, projectId, now, newId } = write;
  const before = await listUnsettledRewards(tx, projectId, participantId, limit);
  if (before.length === 0) return 0;
  const after = before.map((row) => voidReward(row, { reasonCode, reason: null }, now, newId));
  saveRewardChanges(write, before, after);
  await announceChanges(write, 'reward.voided', after);
  return after.length;
}
