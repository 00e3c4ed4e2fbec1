import type { Queryable } from '../../../platform/db/driver.ts';
import type { RewardRow } from '../reward.ts';
import { findRewardRow } from '../store.ts';

/** A Reward as it is stored; what of it depends on the time is left out. */
export function findRewardState(
  source: Queryable,
  projectId: string,
  rewardId: string,
): Promise<
  | Pick<RewardRow, 'id' | 'benefitKind' | 'fulfillmentStatus' | 'beneficiaryParticipantId'>
  | undefined
> {
  return findRewardRow(source, projectId, rewardId);
}
