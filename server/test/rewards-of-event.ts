import type { Queryable } from '../src/db/driver.ts';
import type { RewardRow } from '../src/rewards/reward.ts';
import { listRewards } from '../src/rewards/store.ts';

/** What an Event earned, as it is stored, in the order it was earned. */
export async function loadRewardsOfEvent(
  source: Queryable,
  projectId: string,
  eventId: string,
): Promise<RewardRow[]> {
  const filter = {
    programId: null,
    beneficiaryParticipantId: null,
    beneficiaryRole: null,
    benefitKind: null,
    deliveryMethod: null,
    fulfillmentStatus: null,
    eventId,
  };
  const range = { above: null, below: null };
  return (await listRewards(source, projectId, filter, {}, range, 100)).toReversed();
}
