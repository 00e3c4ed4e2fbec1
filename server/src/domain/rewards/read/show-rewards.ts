import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { findParties } from '../../participants/queries.ts';
import { findUnits } from '../../programs/queries.ts';
import { type RewardRow, tellPayee, withDelivery } from '../reward.ts';
import type { FindPayable } from '../reward-deps.ts';
import type { Reward } from '../schema.ts';
import { toReward } from './present.ts';

/** Rewards at `now`, with the names of their beneficiaries and units. */
export async function showRewards(
  db: Queryable,
  projectId: string,
  rows: readonly RewardRow[],
  now: Instant,
): Promise<Reward[]> {
  const [parties, units] = await Promise.all([
    findParties(db, projectId, [...new Set(rows.map((row) => row.beneficiaryParticipantId))]),
    findUnits(db, projectId, [...new Set(rows.flatMap((row) => row.unitId ?? []))]),
  ]);
  return rows.map((row) => {
    const party = parties.get(row.beneficiaryParticipantId);
    if (!party) throw new Error(`Reward ${row.id} belongs to nobody.`);
    return toReward(withDelivery(row, now), units.get(row.unitId ?? '') ?? null, party);
  });
}

/** The same, with the current reason why a payout waits: the last batch may be long ago. Outside any transaction. */
export async function showRewardsNow(
  { reads, findPayable }: { readonly reads: Queryable; readonly findPayable: FindPayable },
  projectId: string,
  rows: readonly RewardRow[],
  now: Instant,
): Promise<Reward[]> {
  const waiting = rows.filter(({ method, fulfillmentStatus }) => {
    return method === 'payout' && fulfillmentStatus === 'pending';
  });
  const ids = [...new Set(waiting.map((row) => row.beneficiaryParticipantId))];
  const payable = ids.length === 0 ? new Set<string>() : await findPayable(projectId, ids);
  const told = rows.map((row) =>
    waiting.includes(row) ? tellPayee(row, payable.has(row.beneficiaryParticipantId)) : row,
  );
  return showRewards(reads, projectId, told, now);
}
