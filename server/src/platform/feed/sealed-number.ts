import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../kit/keyring.ts';

const NUMBER_BYTES = 8;
const SEAL_BYTES = 12;

/** Which list a cursor belongs to, and whose list it is. */
export interface CursorScope {
  readonly purpose: 'feed-cursor' | 'widget-cursor';
  readonly owner: readonly string[];
}

/** A number as a cursor that only this service can make, and that works for this scope alone. */
export function sealNumber(keyring: Keyring, scope: CursorScope, number: number): string {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  return Buffer.concat([bytes, seal(keyring, scope, number)]).toString('base64url');
}

/** Undefined for a cursor that was not made here for this scope. */
export function openNumber(
  keyring: Keyring,
  scope: CursorScope,
  cursor: string,
): number | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding is lenient: many texts give the same bytes, and only ours is accepted.
  const isWhole = bytes.length === NUMBER_BYTES + SEAL_BYTES;
  if (!isWhole || bytes.toString('base64url') !== cursor) return undefined;
  const number = Number(bytes.readBigUInt64BE());
  const isOurs = timingSafeEqual(bytes.subarray(NUMBER_BYTES), seal(keyring, scope, number));
  return isOurs ? number : undefined;
}

function seal(keyring: Keyring, { purpose, owner }: CursorScope, number: number): Buffer {
  return keyring.hmac(purpose, [...owner, number].join('\n')).subarray(0, SEAL_BYTES);
}
