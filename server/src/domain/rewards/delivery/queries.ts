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

/** The Rewards of these commands, with the progress of their delivery. */
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

/** Call when these participants have got an account at the billing provider. */
export function wakeDeliveries(
  { tx, projectId, now }: ProjectWrite,
  participantIds: readonly string[],
): void {
  wakeWaiting(tx, projectId, participantIds, now);
}

/** Clears the accounts of an erased participant's Rewards. Deliveries that still need one are completed first. */
export async function eraseDeliveryAccounts(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  clearAccounts(tx, projectId, participantId);
}
