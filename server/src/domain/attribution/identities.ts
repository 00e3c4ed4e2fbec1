import type { Tx } from '../../platform/db/database.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { isHandle } from '../clicks/handle.ts';
import type { IdentitySlice, Reference } from './decide-identify.ts';
import {
  countKeysOfHandles,
  eraseKeys,
  listKeysOf,
  listReferences,
  lockHandles,
  unlinkHandlesOf,
  updateIdentifiedHandles,
  upsertReferences,
} from './store.ts';

/**
 * Loads everything that a batch names; the number of statements does not grow with the batch. Locks
 * the handles: load touches only after this, or a touch that a click is just adding is missed.
 */
export async function loadIdentities(
  tx: Tx,
  keyring: Keyring,
  projectId: string,
  named: { readonly handles: readonly string[]; readonly keys: readonly string[] },
): Promise<IdentitySlice> {
  // A cookie may contain text that is not a handle and that the database cannot store.
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

/** Saves the decisions about a loaded slice, in at most two statements. */
export function saveIdentities(write: ProjectWrite, slice: IdentitySlice): void {
  const { tx, projectId, now } = write;
  const handles = [...slice.changed.handles].flatMap((id) => slice.handles.get(id) ?? []);
  const references = [...slice.changed.references].flatMap(
    (key) => slice.references.get(key) ?? [],
  );
  if (handles.length > 0) updateIdentifiedHandles(tx, projectId, handles);
  if (references.length > 0) upsertReferences(tx, projectId, now, references);
}

/**
 * Erases what this domain knows about a participant. Their handles stay closed but belong to
 * nobody: an open one would give the erased person's touches to the next person identified by it.
 * Keys of these handles, resolved or not, are replaced by tombstones and so stay used.
 */
export async function eraseIdentities(
  write: ProjectWrite,
  keyring: Keyring,
  participantId: string,
): Promise<void> {
  const { tx, projectId } = write;
  const handleIds = await unlinkHandlesOf(tx, projectId, participantId);
  const keys = await listKeysOf(tx, projectId, participantId, handleIds);
  if (keys.length === 0) return;
  eraseKeys(
    tx,
    projectId,
    keys.map((key) => ({ key, erased: erasedKey(keyring, projectId, key) })),
  );
}

/**
 * Replaces a key when its person is erased. Deterministic, so that the key stays used; without the
 * root key nobody can find out which key it was.
 */
function erasedKey(keyring: Keyring, projectId: string, key: string): string {
  const hash = keyring.hmac('tombstone', `${projectId}\nreference\n${key}`);
  return `deleted_${hash.toString('base64url')}`;
}
