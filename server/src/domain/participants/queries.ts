import type { Queryable } from '../../platform/db/driver.ts';
import type { Party } from '../../platform/feed/render-event.ts';
import type { Participant } from './schema.ts';
import { listByBillingIds, listParticipantsById } from './store.ts';

/** The participant with this billing id. */
export async function findBilled(
  db: Queryable,
  projectId: string,
  billingId: string,
): Promise<Participant | undefined> {
  const [participant] = await listByBillingIds(db, projectId, [billingId]);
  return participant;
}

/** The billing ids of these participants, each named once. Participants without one are omitted. */
export async function findBillingIds(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, ids);
  return new Map(
    rows.flatMap(({ id, billingId }) => (billingId === null ? [] : [[id, billingId]])),
  );
}

/** Those of these participants, each named once, that were erased. */
export async function findErased(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await listParticipantsById(db, projectId, ids);
  return new Set(rows.flatMap(({ id, deletedAt }) => (deletedAt === null ? [] : [id])));
}

/** The participants of these ids as events show them. */
export async function findParties(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Party>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, [...new Set(ids)]);
  return new Map(
    rows.map(({ id, kind, externalId }) => [id, { participantId: id, kind, externalId }]),
  );
}
