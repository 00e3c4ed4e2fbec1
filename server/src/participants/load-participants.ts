import type { Tx } from '../db/database.ts';
import type { Keyring } from '../kit/keyring.ts';
import { type ParticipantSlice, refKey } from './participant-slice.ts';
import type { ParticipantRef } from './schema.ts';
import { findTombstones, listByBillingIds, listByRefs } from './store.ts';
import { tombstoneOf } from './tombstone.ts';

/** Everyone that a batch names, in as many statements for two hundred as for one. */
export async function loadParticipants(
  tx: Tx,
  keyring: Keyring,
  projectId: string,
  named: { readonly refs: readonly ParticipantRef[]; readonly billingIds?: readonly string[] },
): Promise<ParticipantSlice> {
  const refs = [...new Map(named.refs.map((ref) => [refKey(ref), ref])).values()];
  const billingIds = [...new Set(named.billingIds)];
  const stones = refs.map((ref) => tombstoneOf(keyring, projectId, ref.kind, ref.externalId));
  const [known, holders, found] = await Promise.all([
    listByRefs(tx, projectId, refs),
    billingIds.length === 0 ? [] : listByBillingIds(tx, projectId, billingIds),
    findTombstones(tx, projectId, stones),
  ]);
  return {
    byRef: new Map(
      known.map((one) => [refKey({ kind: one.kind, externalId: one.externalId ?? '' }), one]),
    ),
    billingHolders: new Map(holders.map((one) => [one.billingId ?? '', one.id])),
    erased: new Set(
      refs.filter((_, index) => found.has(stones[index]?.hash ?? '')).map((ref) => refKey(ref)),
    ),
  };
}
