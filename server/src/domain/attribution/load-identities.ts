import type { Tx } from '../../platform/db/database.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { isHandle } from '../clicks/handle.ts';
import type { IdentitySlice, Reference } from './decide-identify.ts';
import { erasedKey } from './erased-key.ts';
import { countKeysOfHandles, listReferences, lockHandles } from './store.ts';

/**
 * All that a batch names, in as many statements for two hundred commands as for one. Locks
 * the handles: load touches only after this, or one that a click is just adding is missed.
 */
export async function loadIdentities(
  tx: Tx,
  keyring: Keyring,
  projectId: string,
  named: { readonly handles: readonly string[]; readonly keys: readonly string[] },
): Promise<IdentitySlice> {
  // A cookie may hold what no handle is and no database stores.
  const handleIds = [...new Set(named.handles)].filter(isHandle);
  const keys = [...new Set(named.keys)];
  const erasedOnes = keys.map((key) => erasedKey(keyring, projectId, key));
  const stored = [...keys, ...erasedOnes];
  const [handles, references, counts] = await Promise.all([
    handleIds.length + keys.length === 0 ? [] : lockHandles(tx, projectId, handleIds, stored),
    keys.length === 0 ? [] : listReferences(tx, projectId, stored),
    keys.length === 0 || handleIds.length === 0 ? [] : countKeysOfHandles(tx, projectId, handleIds),
  ]);
  const byStoredKey = new Map(references.map((reference) => [reference.key, reference]));
  const found = keys.flatMap((key, index): [string, Reference][] => {
    const reference = byStoredKey.get(key) ?? byStoredKey.get(erasedOnes[index] as string);
    return reference ? [[key, reference]] : [];
  });
  return {
    handles: new Map(handles.map((handle) => [handle.id, handle])),
    references: new Map(found),
    keyCounts: new Map(counts.map((count) => [count.handleId, count.keys])),
    changed: { handles: new Set(), references: new Set() },
  };
}
