import type { ProjectWrite } from '../feed/project-write.ts';
import { saveFigures } from '../figures/figures.ts';
import { differenceOf } from '../figures/tally.ts';
import { findUnits } from '../programs/find-units.ts';
import { rewardData } from './present.ts';
import type { RewardVoid } from './reward.ts';
import { figuresOf } from './reward-figures.ts';
import { saveChangedRewards } from './save-rewards.ts';
import { hasUnsettledRewards, listUnsettledRewards } from './store.ts';
import { voidReward } from './void-reward.ts';

/** Whether anything of theirs is pending or on its way, be it voided or not. */
export function isWaitingForRewards(
  { tx, projectId }: ProjectWrite,
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
  { tx, projectId, now, newId, append }: ProjectWrite,
  participantId: string,
  reasonCode: RewardVoid['reasonCode'],
  limit: number,
): Promise<number> {
  const before = await listUnsettledRewards(tx, projectId, participantId, limit);
  if (before.length === 0) return 0;
  const after = before.map((row) => voidReward(row, { reasonCode, reason: null }, now, newId));
  const units = await findUnits(tx, projectId, [
    ...new Set(after.flatMap((row) => row.unitId ?? [])),
  ]);
  saveChangedRewards(tx, projectId, after);
  saveFigures(
    tx,
    projectId,
    differenceOf(
      before.flatMap((row) => figuresOf(row)),
      after.flatMap((row) => figuresOf(row)),
    ),
  );
  for (const row of after) {
    append('reward.voided', { reward: rewardData(row, units.get(row.unitId ?? '') ?? null) });
  }
  return after.length;
}
