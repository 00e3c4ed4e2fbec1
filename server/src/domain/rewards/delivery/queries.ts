import type { Tx } from '../../../platform/db/database.ts';
import type { Command, ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { RewardRow } from '../reward.ts';
import { listRewardsById } from '../store.ts';
import type { DeliveryRow, ServiceMethod } from './decide-delivery.ts';
import { clearAccounts, listDeliveries, wakeWaiting } from './delivery-store.ts';
import type { RewardProvider } from './provider.ts';

/** The methods by which the service can deliver for a Project. */
export async function findConnected(
  providers: readonly RewardProvider[],
  projectId: string,
): Promise<ServiceMethod[]> {
  const connected = await Promise.all(
    providers.map(async (provider) =>
      (await provider.isConnected(projectId)) ? [provider.method] : [],
    ),
  );
  return connected.flat();
}

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

/** These participants have an account at the billing provider from now on. */
export function wakeDeliveries(
  { tx, projectId, now }: ProjectWrite,
  participantIds: readonly string[],
): void {
  wakeWaiting(tx, projectId, participantIds, now);
}

/** Forgets where an erased participant's Rewards went. What is still to be done there is done first. */
export async function eraseDeliveryAccounts(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  clearAccounts(tx, projectId, participantId);
}
