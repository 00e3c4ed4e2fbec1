import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { liveSecrets, makeSecret, SECRET_BYTES } from '../sender/sign.ts';
import {
  type EndpointDeps,
  type EndpointRow,
  type SealedSecret,
  secretContext,
} from './endpoint.ts';
import { type Endpoint, toEndpoint } from './endpoint-schema.ts';
import { getEndpoint, updateEndpoint } from './endpoint-store.ts';

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

/**
 * Creates an endpoint's next secret. The previous one signs for 24 more hours of real time,
 * together with at most one older secret; the others are deleted. Fails with NOT_FOUND.
 */
export function rotateSecret(
  { writer, keyring }: EndpointDeps,
  request: WriteRequest,
  endpointId: string,
): Promise<EndpointWithSecret> {
  return writer.run(request, async (write) => {
    const endpoint = await getEndpoint(write.tx, write.projectId, endpointId);
    const secret = makeSecret(randomBytes(SECRET_BYTES));
    const sealed = sealSecret(keyring, endpoint, secret);
    const rotated = endpoint.secrets.map((older) => ({
      ...older,
      rotatedAt: older.rotatedAt ?? write.realNow,
    }));
    const next: EndpointRow = {
      ...endpoint,
      secrets: liveSecrets([{ sealed, rotatedAt: null }, ...rotated], write.realNow),
      updatedAt: write.now,
    };
    updateEndpoint(write.changeConfig(), next);
    recordAudit(write, request, {
      action: 'webhook_endpoint.rotate_secret',
      targetType: 'webhook_endpoint',
      targetId: endpointId,
      changes: {},
    });
    return { answer: { endpoint: toEndpoint(next), secret } };
  });
}
