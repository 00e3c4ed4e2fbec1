import type { Keyring } from '../../platform/kit/keyring.ts';

/**
 * What a key becomes when its person is erased: always the same for the same key, so that
 * it stays used; without the root key nobody can tell which key it was.
 */
export function erasedKey(keyring: Keyring, projectId: string, key: string): string {
  const hash = keyring.hmac('tombstone', `${projectId}\nreference\n${key}`);
  return `deleted_${hash.toString('base64url')}`;
}
