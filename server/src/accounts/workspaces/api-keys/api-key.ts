import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../../platform/http/access/principal.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 43;
const CHECK_CHARS = 6;
const FORM = /^gw_(live|sandbox)_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/;

/** 43 random characters (256 bits) and a checksum, which detects a mistyped key without a lookup. */
export function makeApiKey(environment: Environment): string {
  let body = `gw_${environment}_`;
  for (let n = 0; n < RANDOM_CHARS; n += 1) body += BASE62[randomInt(62)];
  return body + checksum(body);
}

export function isWellFormed(key: string): boolean {
  if (!FORM.test(key)) return false;
  return checksum(key.slice(0, -CHECK_CHARS)) === key.slice(-CHECK_CHARS);
}

/** Keys have full entropy, so a fast hash is as safe as a slow one. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECK_CHARS; n += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
