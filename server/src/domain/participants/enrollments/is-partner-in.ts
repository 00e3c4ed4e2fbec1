import type { Tx } from '../../../platform/db/database.ts';
import { hasLivingPartner } from '../store.ts';

/** Whether somebody who was not erased stands for this Partner in any of these Projects. */
export function isPartnerIn(
  tx: Tx,
  projectIds: readonly string[],
  partnerId: string,
): Promise<boolean> {
  return hasLivingPartner(tx, projectIds, partnerId);
}
