import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { listPartnerPlaces, type PartnerPlace, updateSuspended } from './partner-place-store.ts';

export type { PartnerPlace };

/** Who a Partner is in each of these Projects that it takes part in. */
export function findPartnerPlaces(
  source: Queryable,
  projectIds: readonly string[],
  partnerId: string,
): Promise<PartnerPlace[]> {
  return listPartnerPlaces(source, projectIds, partnerId);
}

/** Whether the Partner that a participant stands for is suspended; since when stays as it was. */
export function setSuspended(
  { tx, projectId, now }: ProjectWrite,
  participantId: string,
  isSuspended: boolean,
): void {
  updateSuspended(tx, { projectId, participantId }, now, isSuspended);
}
