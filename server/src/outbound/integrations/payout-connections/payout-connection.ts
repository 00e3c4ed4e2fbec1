import type { Environment } from '../../../platform/http/access/principal.ts';
import { encodeBase32 } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { ProviderMethod } from '../../payouts/methods.ts';

export interface PaypalCredentials {
  readonly method: 'paypal';
  readonly clientId: string;
  readonly clientSecret: string;
  /** PayPal's id of the webhook; null if none is set up. */
  readonly webhookId: string | null;
}

export interface WiseCredentials {
  readonly method: 'wise';
  readonly profileId: string;
  readonly token: string;
  /** The key, in PEM, by which Wise signs its webhooks; null if none is set up. */
  readonly webhookPublicKey: string | null;
}

interface StripeConnectCredentials {
  readonly method: 'stripe_connect';
  readonly secretKey: string;
  readonly webhookSecret: string | null;
}

/** Credentials of an account at a provider. Never shown, logged or stored in clear. */
export type Credentials = PaypalCredentials | WiseCredentials | StripeConnectCredentials;

export interface ConnectionRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly method: ProviderMethod;
  readonly sealed: string;
  readonly last4: string;
  readonly checksWebhooks: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * The same id for the same account: transfers are looked up through the connection that ordered
 * them, even if it was disconnected in between. `account` is the part that stays when secrets are
 * renewed.
 */
export function connectionIdOf(
  keyring: Keyring,
  place: Pick<ConnectionRow, 'workspaceId' | 'environment' | 'method'>,
  account: string,
): string {
  const text = [place.workspaceId, place.environment, place.method, account];
  const hash = keyring.hmac('payout-connection-id', text.join('\n'));
  return `pcn_${encodeBase32(hash.subarray(0, 16))}`;
}

export function last4Of(credentials: Credentials): string {
  switch (credentials.method) {
    case 'paypal':
      return credentials.clientSecret.slice(-4);
    case 'wise':
      return credentials.token.slice(-4);
    case 'stripe_connect':
      return credentials.secretKey.slice(-4);
  }
}

export function checksWebhooks(credentials: Credentials): boolean {
  switch (credentials.method) {
    case 'paypal':
      return credentials.webhookId !== null;
    case 'wise':
      return credentials.webhookPublicKey !== null;
    case 'stripe_connect':
      return credentials.webhookSecret !== null;
  }
}

export function sealCredentials(keyring: Keyring, id: string, credentials: Credentials): string {
  return keyring.seal('payout-connection', JSON.stringify(credentials), id);
}

/** Throws if it was sealed for another connection or changed since. */
export function openCredentials(
  keyring: Keyring,
  { id, sealed }: Pick<ConnectionRow, 'id' | 'sealed'>,
): Credentials {
  return JSON.parse(keyring.open('payout-connection', sealed, id)) as Credentials;
}
