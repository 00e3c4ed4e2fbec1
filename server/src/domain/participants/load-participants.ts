import type { Tx } from '../../platform/db/database.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { tombstoneOf } from './names/tombstone.ts';
import { type ParticipantSlice, refKey } from './participant-slice.ts';
import type { Participant, ParticipantRef } from './schema.ts';
import { listByBillingIds, listByRefs } from './store.ts';

/** Everyone that a batch names, in as many statements for two hundred as for one. */
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
