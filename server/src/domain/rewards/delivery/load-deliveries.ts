import type { Tx } from '../../../platform/db/database.ts';
import type { Command } from '../../../platform/feed/writer/project-write.ts';
import type { RewardRow } from '../reward.ts';
import { listRewardsById } from '../store.ts';
import type { DeliveryRow } from './decide-delivery.ts';
import { listDeliveries } from './delivery-store.ts';

export interface LoadedDeliveries {
  readonly rewards: RewardRow[];
  readonly deliveries: DeliveryRow[];
}

/** The Rewards that commands are about, and how far the delivery of each has got. */
export async function loadDeliveries(
  tx: Tx,
  projectId: string,
  commands: readonly Command<{ readonly rewardId: string }>[],
): Promise<LoadedDeliveries> {
  const ids = [...new Set(commands.map(({ input }) => input.rewardId))];
  const [rewards, deliveries] = await Promise.all([
    listRewardsById(tx, projectId, ids),
    listDeliveries(tx, projectId, ids),
  ]);
  return { rewards, deliveries };
}
