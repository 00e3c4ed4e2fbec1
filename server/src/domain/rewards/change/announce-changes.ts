import type { FeedEventType, ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { findUnits } from '../../programs/queries.ts';
import { rewardData } from '../read/present.ts';
import type { RewardRow } from '../reward.ts';

export type RewardNews = Extract<
  FeedEventType,
  'reward.fulfilled' | 'reward.revoked' | 'reward.voided'
>;

/** Adds one event for each Reward to the feed, in their order. */
export async function announceChanges(
  { tx, projectId, append }: ProjectWrite,
  type: RewardNews,
  rows: readonly RewardRow[],
): Promise<void> {
  const unitIds = [...new Set(rows.flatMap((row) => row.unitId ?? []))];
  const units = await findUnits(tx, projectId, unitIds);
  for (const row of rows) {
    append(type, { reward: rewardData(row, units.get(row.unitId ?? '') ?? null) });
  }
}
