import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { erasedKey } from './erased-key.ts';
import { eraseKeys, listKeysOf, unlinkHandlesOf } from './store.ts';

/**
 * Erases what this domain knows of a participant. Their handles stay closed but become
 * nobody's: an open one would hand the touches of the erased to whoever comes next. Keys of
 * these handles, resolved or not, stay used through tombstones in their place.
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
