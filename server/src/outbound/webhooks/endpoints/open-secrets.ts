import type { Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { liveSecrets } from '../sender/sign.ts';
import { type EndpointRow, type SealedSecret, secretContext } from './endpoint.ts';
import type { Endpoint } from './endpoint-schema.ts';

/** The result of an operation that created a secret: the only time it is shown. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

type Owner = Pick<EndpointRow, 'projectId' | 'id'>;

export function sealSecret(keyring: Keyring, owner: Owner, secret: string): string {
  return keyring.seal('endpoint-secret', secret, secretContext(owner.projectId, owner.id));
}

function openSecret(keyring: Keyring, owner: Owner, sealed: string): string {
  return keyring.open('endpoint-secret', sealed, secretContext(owner.projectId, owner.id));
}

/** Decrypted secrets of a row that is read once and signs many requests. */
const opened = new WeakMap<Owner, ReadonlyMap<SealedSecret, string>>();

/** The secrets that sign for an endpoint at a real time, newest first. */
export function liveSecretsOf(
  keyring: Keyring,
  endpoint: Owner & { readonly secrets: readonly SealedSecret[] },
  now: Instant,
): string[] {
  const known =
    opened.get(endpoint) ??
    new Map(endpoint.secrets.map((one) => [one, openSecret(keyring, endpoint, one.sealed)]));
  opened.set(endpoint, known);
  return liveSecrets(endpoint.secrets, now).map((one) => known.get(one) as string);
}
