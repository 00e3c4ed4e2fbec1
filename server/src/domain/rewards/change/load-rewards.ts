import type { Queryable } from '../../../platform/db/driver.ts';
import type { RewardRow } from '../reward.ts';
import { listRewardsById, listRewardsOfPurchases } from '../store.ts';

/** What these purchases earned, in the order it was earned. */
export async function loadRewardsOfPurchases(
  source: Queryable,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<RewardRow[]> {
  const asked = [...new Set(purchaseIds)];
  return asked.length === 0 ? [] : listRewardsOfPurchases(source, projectId, asked);
}

/** Those of these ids, each named once, by id. */
export async function loadRewards(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, RewardRow>> {
  const rows = ids.length === 0 ? [] : await listRewardsById(source, projectId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
