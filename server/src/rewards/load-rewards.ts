import type { Queryable } from '../db/driver.ts';
import type { RewardRow } from './reward.ts';
import { listRewardsOfEvent, listRewardsOfPurchases } from './store.ts';

/** What these purchases earned, in the order it was earned. */
export async function loadRewardsOfPurchases(
  source: Queryable,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<RewardRow[]> {
  return purchaseIds.length === 0 ? [] : listRewardsOfPurchases(source, projectId, purchaseIds);
}

/** What an Event earned, in the order it was earned. */
export function loadRewardsOfEvent(
  source: Queryable,
  projectId: string,
  eventId: string,
): Promise<RewardRow[]> {
  return listRewardsOfEvent(source, projectId, eventId);
}
