import type { Queryable } from '../db/driver.ts';
import type { RewardRow } from './reward.ts';
import { listRewardsOfPurchases } from './store.ts';

/** What these purchases earned, in the order it was earned. */
export async function loadRewardsOfPurchases(
  source: Queryable,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<RewardRow[]> {
  const asked = [...new Set(purchaseIds)];
  return asked.length === 0 ? [] : listRewardsOfPurchases(source, projectId, asked);
}
