import type { Keyring } from '../../platform/kit/keyring.ts';

/**
 * Replaces a key when its person is erased. Deterministic, so that the key stays used; without the
 * root key nobody can find out which key it was.
 */
export function erasedKey(keyring: Keyring, projectId: string, key: string): string {
  const hash = keyring.hmac('tombstone', `${projectId}\nreference\n${key}`);
  return `deleted_${hash.toString('base64url')}`;
}
