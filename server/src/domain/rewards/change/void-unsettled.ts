import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { voidReward } from '../decide/decide-void.ts';
import type { RewardVoid } from '../reward.ts';
import { hasUnsettledRewards, listUnsettledRewards } from '../store.ts';
import { announceChanges } from './announce-changes.ts';
import { saveRewardChanges } from './queries.ts';

/** Whether they have a pending Reward or one in progress, voided or not. */
export function isWaitingForRewards(
  { tx, projectId }: { readonly tx: Queryable; readonly projectId: string },
  participantId: string,
): Promise<boolean> {
  return hasUnsettledRewards(tx, projectId, participantId);
}

/**
 * Voids a participant's unsettled Rewards, at most `limit`, oldest first; returns how many. Fewer
 * than `limit` means that none is left to void: Rewards in progress stay so, voided, until their
 * outcome is known.
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
