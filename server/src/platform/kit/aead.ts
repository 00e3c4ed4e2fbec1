import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

/** AES-256-GCM. `context` is authenticated: a value sealed for one context cannot be opened for another. */
export function sealWith(key: Uint8Array, text: string, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return FORMAT + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

/** Throws for another key or context, and for a modified value. */
export function openWith(key: Uint8Array, sealed: string, context: string): string {
  if (!sealed.startsWith(FORMAT)) throw new Error('Unknown format of a sealed value.');
  const bytes = Buffer.from(sealed.slice(FORMAT.length), 'base64');
  // Explicit, because otherwise a truncated tag would be accepted.
  const tagged = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), tagged);
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = bytes.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
