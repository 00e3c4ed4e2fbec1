import { forgetTexts } from '../../../platform/feed/forget-texts.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { SLICE, type Slice } from '../../../platform/feed/writer/slice.ts';
import { clearVoidReasons, listRewardIdsOfEvents, listRewardsBehind } from '../store.ts';

const START = { programId: '', number: 0 };

/** Clears in which words Rewards of a participant were voided, in past events too; reason codes stay. */
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

/** The same of the Rewards that these events brought to anybody. */
export async function eraseReasonsOfEvents(
  write: ProjectWrite,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  clearReasons(write, await listRewardIdsOfEvents(write.tx, write.projectId, eventIds));
}

/** A Reward that stands again says nothing of why it was void, but the events of then do. */
function clearReasons(write: ProjectWrite, rewardIds: readonly string[]): void {
  if (rewardIds.length > 0) clearVoidReasons(write.tx, write.projectId, rewardIds);
  forgetTexts(write, rewardIds);
}
