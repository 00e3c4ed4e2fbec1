import type { Queryable } from '../../../platform/db/driver.ts';
import { listParticipantsById } from '../store.ts';

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
