import type { RewardRow } from '../src/domain/rewards/reward.ts';
import { listRewards } from '../src/domain/rewards/store.ts';
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
  const rows = await listRewards(db, projectId, { filter, streams: {}, range, limit: 100 });
  return rows.toReversed();
}
