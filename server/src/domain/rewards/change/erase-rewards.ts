import type { Queryable } from '../../../platform/db/driver.ts';
import { forgetTexts } from '../../../platform/feed/queries.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { SLICE, type Slice } from '../../../platform/feed/writer/project-write.ts';
import { voidReward } from '../decide/decide-void.ts';
import type { RewardVoid } from '../reward.ts';
import {
  clearVoidReasons,
  hasUnsettledRewards,
  listRewardIdsOfEvents,
  listRewardsBehind,
  listUnsettledRewards,
} from '../store.ts';
import { announceChanges, saveRewardChanges } from './save-rewards.ts';

const START = { programId: '', number: 0 };

/** Clears the free-text reasons of a participant's voided Rewards, also in past events; reason codes stay. */
export function eraseReasons(participantId: string, after = START): Slice {
  return async (write) => {
    const { tx, projectId } = write;
    const rewards = await listRewardsBehind(tx, projectId, participantId, { after, limit: SLICE });
    clearReasons(
      write,
      rewards.map(({ id }) => id),
    );
    const last = rewards[SLICE - 1];
    return last ? eraseReasons(participantId, last) : null;
  };
}

/** The same for the Rewards that these events gave to anybody. */
export async function eraseReasonsOfEvents(
  write: ProjectWrite,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  clearReasons(write, await listRewardIdsOfEvents(write.tx, write.projectId, eventIds));
}

/** A restored Reward no longer contains its void reason, but its past events do. */
function clearReasons(write: ProjectWrite, rewardIds: readonly string[]): void {
  if (rewardIds.length > 0) clearVoidReasons(write.tx, write.projectId, rewardIds);
  forgetTexts(write, rewardIds);
}

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
