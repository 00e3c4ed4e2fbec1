import { addMs, DAY_MS, type Instant } from '../../../../platform/kit/instant.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';

export const CONNECTION_STATUSES = ['active', 'disabled'] as const;
type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export interface SealedSecret {
  readonly sealed: string;
  /** When a newer secret replaced it; null for the current one. */
  readonly rotatedAt: Instant | null;
}

/** A Project's own Stripe account. */
export interface ConnectionRow {
  readonly projectId: string;
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly livemode: boolean;
  readonly sealedKey: string;
  readonly keyLast4: string;
  /** Newest first; empty until Stripe has created one for our URL. */
  readonly webhookSecrets: readonly SealedSecret[];
  /** The source of the facts that it reports. */
  readonly sourceId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Identifies a connection; its secrets are sealed for it. */
export type ConnectionName = Pick<ConnectionRow, 'projectId' | 'id'>;

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
