import { randomBytes } from 'node:crypto';

/** Crockford base32, lower case: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'ws'
  | 'prj'
  | 'par'
  | 'enr'
  | 'cod'
  | 'lnk'
  | 'prg'
  | 'pol'
  | 'rul'
  | 'trm'
  | 'unit'
  | 'ptn'
  | 'preq'
  | 'key'
  | 'wsk'
  | 'src'
  | 'wev'
  | 'aud'
  | 'req';

/** Makes ids. Injected where a decision's outcome must be repeatable. */
export type NewId = (prefix: IdPrefix) => string;

/** 26 characters from 16 bytes: 2 zero bits, then 128 bits, the most significant first. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 2;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(buffer >>> bits) & 31];
      buffer &= (1 << bits) - 1;
    }
  }
  return text;
}

/**
 * `<prefix>_` and a ULID in lower case: 48 bits of time, 80 random bits. Ids made one
 * after another lie side by side in an index. They are names, never secrets.
 */
export function makeNewId(nowMs: () => number): NewId {
  return (prefix) => {
    const bytes = randomBytes(16);
    bytes.writeUIntBE(nowMs(), 0, 6);
    return `${prefix}_${encodeBase32(bytes)}`;
  };
}
