import { createPublicKey } from 'node:crypto';
import { invalid } from '../../../platform/kit/errors.ts';
import { encodeBase32 } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { Connect, PayoutConnection } from './payout-connection-schema.ts';

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

export interface ConnectionRow extends Readonly<Omit<PayoutConnection, 'webhookUrl'>> {
  readonly sealed: string;
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

/** What a connection shows of its credentials. */
export function describeCredentials(
  credentials: Credentials,
): Pick<ConnectionRow, 'last4' | 'checksWebhooks'> {
  const show = (secret: string, verifier: string | null) => ({
    last4: secret.slice(-4),
    checksWebhooks: verifier !== null,
  });
  switch (credentials.method) {
    case 'paypal':
      return show(credentials.clientSecret, credentials.webhookId);
    case 'wise':
      return show(credentials.token, credentials.webhookPublicKey);
    case 'stripe_connect':
      return show(credentials.secretKey, credentials.webhookSecret);
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

const FIELDS = { paypal: 'paypal', wise: 'wise', stripe_connect: 'stripeConnect' } as const;

/**
 * Accepts the credentials of the given method only. Fails with INVALID_REQUEST; issues never repeat a
 * secret.
 */
export function readCredentials(input: Connect): Credentials {
  const { method } = input;
  for (const [other, field] of Object.entries(FIELDS)) {
    const isThere = (input[field] ?? null) !== null;
    if (other === method && !isThere) throw invalid(field, `is required with method ${method}`);
    if (other !== method && isThere) throw invalid(field, `is not allowed with method ${method}`);
  }
  const { paypal, wise, stripeConnect } = input;
  if (paypal) {
    const { clientId, clientSecret, webhookId = null } = paypal;
    // The login joins id and secret by a colon.
    if (clientId.includes(':')) throw invalid('paypal.clientId', 'must not contain a colon');
    return { method: 'paypal', clientId, clientSecret, webhookId };
  }
  if (wise) {
    const { profileId, token, webhookPublicKey = null } = wise;
    if (webhookPublicKey !== null) assertRsaKey(webhookPublicKey);
    return { method: 'wise', profileId, token, webhookPublicKey };
  }
  if (!stripeConnect) throw new Error(`No credentials for ${method}.`);
  const { secretKey, webhookSecret = null } = stripeConnect;
  assertStripeMode(secretKey, input.environment);
  if (webhookSecret !== null && !webhookSecret.startsWith('whsec_')) {
    throw invalid('stripeConnect.webhookSecret', 'must begin with whsec_');
  }
  return { method: 'stripe_connect', secretKey, webhookSecret };
}

function assertRsaKey(pem: string): void {
  let type: string | undefined;
  try {
    type = createPublicKey(pem).asymmetricKeyType;
  } catch {
    type = undefined;
  }
  if (type !== 'rsa' || pem.includes('PRIVATE')) {
    throw invalid('wise.webhookPublicKey', 'must be a public RSA key in PEM');
  }
}

/** The prefix of a key says whether it is a test key. */
function assertStripeMode(secretKey: string, environment: Connect['environment']): void {
  const mode = /^(?:sk|rk)_(test|live)_/.exec(secretKey)?.[1];
  const field = 'stripeConnect.secretKey';
  if (!mode) throw invalid(field, 'must be a secret or restricted key of Stripe');
  const fits = (mode === 'test') === (environment === 'sandbox');
  if (!fits) throw invalid(field, `is a ${mode} key, which cannot be used in ${environment}`);
}

/** Names of the methods in webhook URLs. */
export const HOOK_NAMES = {
  paypal: 'paypal',
  wise: 'wise',
  stripe_connect: 'stripe-connect',
} as const;

export function toConnection(
  { sealed: _, ...row }: ConnectionRow,
  baseUrl: string,
): PayoutConnection {
  const name = HOOK_NAMES[row.method];
  const webhookUrl = `${baseUrl}/v1/integrations/${name}/${row.workspaceId}/${row.id}`;
  return { ...row, webhookUrl };
}
