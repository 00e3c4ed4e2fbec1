import type { Queryable } from '../db/driver.ts';
import type { RewardRow } from './reward.ts';
import { listRewards } from './store.ts';

/** What somebody earned in a Program, newest first, below a number; null begins with the newest. */
export function listRewardsOf(
  source: Queryable,
  projectId: string,
  owner: { readonly participantId: string; readonly programId: string },
  below: number | null,
  limit: number,
): Promise<RewardRow[]> {
  const filter = {
    programId: owner.programId,
    beneficiaryParticipantId: owner.participantId,
    beneficiaryRole: null,
    benefitKind: null,
    deliveryMethod: null,
    fulfillmentStatus: null,
    eventId: null,
  };
  const streams = { programId: [owner.programId] };
  return listRewards(source, projectId, filter, streams, { above: null, below }, limit);
}
