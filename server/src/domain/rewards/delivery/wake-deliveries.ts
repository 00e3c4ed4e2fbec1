import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { clearAccounts, wakeWaiting } from './delivery-store.ts';

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
