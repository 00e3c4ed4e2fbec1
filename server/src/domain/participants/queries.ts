import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Party } from '../../platform/feed/render-event.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { tombstoneOf } from './names/tombstone.ts';
import { type ParticipantSlice, refKey } from './participant-slice.ts';
import type { Participant, ParticipantRef } from './schema.ts';
import { listByBillingIds, listByRefs, listParticipantsById } from './store.ts';

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

/** Loads every participant that a batch names; the number of statements does not grow with the batch. */
export async function loadParticipants(
  tx: Tx,
  keyring: Keyring,
  projectId: string,
  named: { readonly refs: readonly ParticipantRef[]; readonly billingIds?: readonly string[] },
): Promise<ParticipantSlice> {
  const refs = [...new Map(named.refs.map((ref) => [refKey(ref), ref])).values()];
  const billingIds = [...new Set(named.billingIds)];
  const hashes = refs.map((ref) => tombstoneOf(keyring, projectId, ref.kind, ref.externalId).hash);
  const [found, holders] = await Promise.all([
    refs.length === 0 ? [] : listByRefs(tx, projectId, refs, hashes),
    billingIds.length === 0 ? [] : listByBillingIds(tx, projectId, billingIds),
  ]);
  const erased = new Set(found.map(({ erasedHash }) => erasedHash));
  return {
    byRef: new Map(
      found.flatMap(({ erasedHash: _, ...one }): [string, Participant][] =>
        one.id === null
          ? []
          : [[refKey({ kind: one.kind, externalId: one.externalId ?? '' }), one]],
      ),
    ),
    billingHolders: new Map(holders.map((one) => [one.billingId ?? '', one.id])),
    erased: new Set(
      refs.filter((_, index) => erased.has(hashes[index] ?? '')).map((ref) => refKey(ref)),
    ),
  };
}
