import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Each use of the root key has its own derived key, so that no two uses can be mixed up. */
type KeyPurpose =
  | 'widget-secret'
  | 'tombstone'
  | 'feed-cursor'
  | 'idempotency'
  | 'partner-proof'
  | 'partner-sign-in'
  | 'application-id'
  | 'click-token'
  | 'network'
  | 'risk-email'
  | 'risk-card'
  | 'endpoint-secret'
  | 'payout-details'
  | 'payout-account'
  | 'widget-cursor'
  | 'list-cursor'
  | 'agent-confirmation'
  | 'stripe-key'
  | 'stripe-webhook-secret'
  | 'stripe-customer'
  | 'payout-connection'
  | 'payout-connection-id'
  | 'payout-onboarding'
  | 'console-sign-in'
  | 'second-factor'
  | 'mail-unsubscribe'
  | 'mail-address'
  | 'backup-check'
  | 'root-key-mark';

export const ROOT_KEY_BYTES = 32;

/** Secrets derived from the one root key. A sealed value can be opened only with the same purpose and context. */
export interface Keyring {
  hmac(purpose: KeyPurpose, text: string): Buffer;
  /** AES-256-GCM; `context` (ids of the row) is authenticated, so a sealed value cannot be moved to another row. */
  seal(purpose: KeyPurpose, text: string, context: string): string;
  open(purpose: KeyPurpose, sealed: string, context: string): string;
}

export function createKeyring(rootKey: Uint8Array): Keyring {
  if (rootKey.length !== ROOT_KEY_BYTES) throw new Error('The root key must have 32 bytes.');
  const derived = new Map<KeyPurpose, Buffer>();
  const keyFor = (purpose: KeyPurpose): Buffer => {
    let key = derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', rootKey, '', `goodword/${purpose}`, 32));
      derived.set(purpose, key);
    }
    return key;
  };
  return {
    hmac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    seal: (purpose, text, context) => sealWith(keyFor(purpose), text, context),
    open: (purpose, sealed, context) => openWith(keyFor(purpose), sealed, context),
  };
}

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
