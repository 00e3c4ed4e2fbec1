import type { Queryable } from '../../platform/db/driver.ts';
import type { Party } from '../../platform/feed/render-event.ts';
import { listParticipantsById } from './store.ts';

/** The participants of these ids as events show them. */
export async function findParties(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Party>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(source, projectId, [...new Set(ids)]);
  return new Map(
    rows.map(({ id, kind, externalId }) => [id, { participantId: id, kind, externalId }]),
  );
}
