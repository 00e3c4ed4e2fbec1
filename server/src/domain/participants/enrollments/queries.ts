import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { hasLivingPartner, listParticipantsById } from '../store.ts';
import {
  listPartnerParticipants,
  type PartnerParticipant,
  updateSuspended,
} from './partner-store.ts';

/** Which of these participants stand for a Partner, and for which; the erased for none. */
export async function findPartnerIds(
  source: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (participantIds.length === 0) return new Map();
  const rows = await listParticipantsById(source, projectId, [...new Set(participantIds)]);
  return new Map(
    rows.flatMap(({ id, partnerId, deletedAt }): [string, string][] =>
      partnerId === null || deletedAt !== null ? [] : [[id, partnerId]],
    ),
  );
}

/** Whether somebody who was not erased stands for this Partner in any of these Projects. */
export function isPartnerIn(
  tx: Tx,
  projectIds: readonly string[],
  partnerId: string,
): Promise<boolean> {
  return hasLivingPartner(tx, projectIds, partnerId);
}

export type { PartnerParticipant };

/** Who a Partner is in each of these Projects that it takes part in. */
export function findPartnerParticipants(
  source: Queryable,
  projectIds: readonly string[],
  partnerId: string,
): Promise<PartnerParticipant[]> {
  return listPartnerParticipants(source, projectIds, partnerId);
}

/** Whether the Partner that a participant stands for is suspended; since when stays as it was. */
export function setSuspended(
  { tx, projectId, now }: ProjectWrite,
  participantId: string,
  isSuspended: boolean,
): void {
  updateSuspended(tx, { projectId, participantId }, now, isSuspended);
}
