import type { Keyring } from '../../../platform/kit/keyring.ts';

/** A keyed hash of an address. Mailboxes differ by case nowhere in practice. */
export function hashAddress(keyring: Keyring, address: string): string {
  return keyring.hmac('mail-address', address.toLowerCase()).toString('base64url');
}
