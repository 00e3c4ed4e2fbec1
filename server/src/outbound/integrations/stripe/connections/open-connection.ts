import { addMs, DAY_MS, type Instant } from '../../../../platform/kit/instant.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import type { ConnectionName, ConnectionRow, SealedSecret } from './connection.ts';

/** How long a replaced secret stays valid, in real time. */
const OVERLAP_MS = DAY_MS;
const LIVE_MAX = 2;

const contextOf = ({ projectId, id }: ConnectionName) => `${projectId}/${id}`;

export function sealStripeKey(keyring: Keyring, name: ConnectionName, key: string): string {
  return keyring.seal('stripe-key', key, contextOf(name));
}

/** Decrypts the key for calls to Stripe. */
export function openStripeKey(
  keyring: Keyring,
  connection: ConnectionName & Pick<ConnectionRow, 'sealedKey'>,
): string {
  return keyring.open('stripe-key', connection.sealedKey, contextOf(connection));
}

export function sealWebhookSecret(keyring: Keyring, name: ConnectionName, secret: string): string {
  return keyring.seal('stripe-webhook-secret', secret, contextOf(name));
}

export function openWebhookSecret(
  keyring: Keyring,
  name: ConnectionName,
  { sealed }: SealedSecret,
): string {
  return keyring.open('stripe-webhook-secret', sealed, contextOf(name));
}

/**
 * The secrets, newest first, that are valid at a real time: the current one, and the previous one
 * for a day.
 */
export function liveSecrets(secrets: readonly SealedSecret[], now: Instant): SealedSecret[] {
  return secrets
    .filter(({ rotatedAt }) => rotatedAt === null || now < addMs(rotatedAt, OVERLAP_MS))
    .slice(0, LIVE_MAX);
}

/** Puts a new secret in front and drops the expired ones. */
export function withNewSecret(
  secrets: readonly SealedSecret[],
  sealed: string,
  now: Instant,
): SealedSecret[] {
  const replaced = secrets.map((one) => ({ ...one, rotatedAt: one.rotatedAt ?? now }));
  return liveSecrets([{ sealed, rotatedAt: null }, ...replaced], now);
}
