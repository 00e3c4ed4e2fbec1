import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { differenceOf } from '../../../platform/figures/tally.ts';
import { figuresOf } from '../decide/reward-figures.ts';
import type { RewardRow } from '../reward.ts';
import { saveChangedRewards } from './save-rewards.ts';

/**
 * Saves Rewards and the difference in what they count for. `after` has the same Rewards in
 * the same order; those that are the same row in both are left alone.
 */
export function saveRewardChanges(
  { tx, projectId }: Pick<ProjectWrite, 'tx' | 'projectId'>,
  before: readonly RewardRow[],
  after: readonly RewardRow[],
): void {
  saveChangedRewards(
    tx,
    projectId,
    after.filter((row, index) => row !== before[index]),
  );
  saveFigures(
    tx,
    projectId,
    differenceOf(
      before.flatMap((row) => figuresOf(row)),
      after.flatMap((row) => figuresOf(row)),
    ),
  );
}
