import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { decideAnsweredGrant } from '../decide/decide-answered-grant.ts';
import { listRewardsById } from '../store.ts';
import { announceChanges } from './announce-changes.ts';
import { saveRewardChanges } from './queries.ts';

/** A receiver's confirmation, in its response to this event, that it granted a Reward. */
export interface AnsweredGrant {
  readonly rewardId: string;
  readonly eventId: string;
}

/** Records the grants of Rewards that have none yet, and adds them to the feed. */
export async function grantAnswered(
  write: ProjectWrite,
  grants: readonly AnsweredGrant[],
): Promise<void> {
  const eventIds = new Map(grants.map(({ rewardId, eventId }) => [rewardId, eventId]));
  const before = await listRewardsById(write.tx, write.projectId, [...eventIds.keys()]);
  const after = before.map((row) =>
    decideAnsweredGrant(row, eventIds.get(row.id) as string, write),
  );
  const granted = after.filter((row, index) => row !== before[index]);
  if (granted.length === 0) return;
  saveRewardChanges(write, before, after);
  await announceChanges(write, 'reward.fulfilled', granted);
  const voided = after.filter((row, index) => row.void !== null && before[index]?.void === null);
  await announceChanges(write, 'reward.voided', voided);
}
