import { listRewards } from '../src/domain/rewards/read/reward-list-store.ts';
import type { RewardRow } from '../src/domain/rewards/reward.ts';
import type { Queryable } from '../src/platform/db/driver.ts';

/** What an Event earned, as it is stored, in the order it was earned. */
export async function loadRewardsOfEvent(
  db: Queryable,
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
  const page = { order: 'asc', limit: 100 } as const;
  return listRewards(db, projectId, { filter, streams: {}, range }, page);
}
