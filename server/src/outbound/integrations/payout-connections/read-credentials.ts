import { createPublicKey } from 'node:crypto';
import { invalid } from '../../../platform/kit/errors.ts';
import type { Credentials } from './payout-connection.ts';
import type { Connect } from './payout-connection-schema.ts';

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
    if (other !== method && isThere) throw invalid(field, `does not belong to method ${method}`);
  }
  const { paypal, wise, stripeConnect } = input;
  if (paypal) {
    const { clientId, clientSecret, webhookId = null } = paypal;
    // The login joins id and secret by a colon.
    if (clientId.includes(':')) throw invalid('paypal.clientId', 'must not have a colon in it');
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
  if (!fits) throw invalid(field, `is a ${mode} key, which does not belong to ${environment}`);
}
