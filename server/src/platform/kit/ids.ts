import { randomBytes, randomFillSync, randomInt } from 'node:crypto';

/** Crockford base32, lower case: no i, l, o, u. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'ws'
  | 'usr'
  | 'ses'
  | 'uac'
  | 'uvf'
  | 'utf'
  | 'inv'
  | 'prj'
  | 'par'
  | 'enr'
  | 'cod'
  | 'lnk'
  | 'tch'
  | 'prg'
  | 'pol'
  | 'rkp'
  | 'pln'
  | 'rvw'
  | 'rul'
  | 'trm'
  | 'unit'
  | 'ptn'
  | 'preq'
  | 'psl'
  | 'key'
  | 'wsk'
  | 'src'
  | 'wev'
  | 'pdt'
  | 'whe'
  | 'whq'
  | 'wha'
  | 'evt'
  | 'pur'
  | 'ref'
  | 'rwd'
  | 'ful'
  | 'rev'
  | 'void'
  | 'padj'
  | 'adj'
  | 'sfact'
  | 'po'
  | 'pob'
  | 'scn'
  | 'spk'
  | 'aud'
  | 'mail'
  | 'view'
  | 'btt'
  | 'rst'
  | 'adv'
  | 'req';

/** Creates ids. Injected where a decision's outcome must be reproducible. */
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
 * `<prefix>_` and a ULID in lower case: 48 bits of time, 80 random bits. Consecutive ids are
 * adjacent in an index, and within a process sort in order of creation: within a millisecond each
 * is the previous one plus a small step. They are names, never secrets.
 */
export function makeNewId(nowMs: () => number): NewId {
  const bytes = Buffer.alloc(16);
  const fillRandomly = createRandomness();
  let lastMs = -1;
  return (prefix) => {
    const ms = nowMs();
    if (ms === lastMs) {
      increment(bytes);
    } else {
      lastMs = ms;
      bytes.writeUIntBE(ms, 0, 6);
      fillRandomly(bytes, 6);
      // Room to increment without reaching the time.
      bytes.writeUInt8(bytes.readUInt8(6) & 0x7f, 6);
    }
    return `${prefix}_${encodeBase32(bytes)}`;
  };
}

/** 128 random bits that nobody can guess. */
export const drawSecret = (): Buffer => randomBytes(16);

/** Draws many bytes at once: each draw costs as much as a few thousand bytes. */
function createRandomness(): (bytes: Buffer, from: number) => void {
  const drawn = Buffer.alloc(4_096);
  let used = drawn.length;
  return (bytes, from) => {
    const length = bytes.length - from;
    if (used + length > drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    drawn.copy(bytes, from, used, used + length);
    drawn.fill(0, used, used + length);
    used += length;
  };
}

/** The smallest possible id of a time: greater ids were created then or later. */
export function leastIdAt(prefix: IdPrefix, ms: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(ms, 0), 2 ** 48 - 1), 0, 6);
  return `${prefix}_${encodeBase32(bytes)}`;
}

/** Adds a random step, so that one id does not reveal the next. */
function increment(bytes: Buffer): void {
  let carry = 1 + randomInt(2 ** 24);
  for (let at = 15; carry > 0 && at >= 6; at -= 1) {
    carry += bytes.readUInt8(at);
    bytes.writeUInt8(carry & 0xff, at);
    carry >>>= 8;
  }
}
