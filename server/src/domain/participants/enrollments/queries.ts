import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { hasLivingPartner, listParticipantsById } from '../store.ts';
import { listPartnerParticipants, type PartnerParticipant } from './partner-store.ts';

/** The Partners of those participants that belong to one; erased participants have none. */
export async function findPartnerIds(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (participantIds.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, [...new Set(participantIds)]);
  return new Map(
    rows.flatMap(({ id, partnerId, deletedAt }): [string, string][] =>
      partnerId === null || deletedAt !== null ? [] : [[id, partnerId]],
    ),
  );
}

/** Whether this Partner has a participant, not erased, in any of these Projects. */
export function isPartnerIn(
  tx: Tx,
  projectIds: readonly string[],
  partnerId: string,
): Promise<boolean> {
  return hasLivingPartner(tx, projectIds, partnerId);
}

export type { PartnerParticipant };

/** A Partner's participants in those of these Projects that it joined. */
export function findPartnerParticipants(
  db: Queryable,
  projectIds: readonly string[],
  partnerId: string,
): Promise<PartnerParticipant[]> {
  return listPartnerParticipants(db, projectIds, partnerId);
}
