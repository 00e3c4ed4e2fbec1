import type { Instant } from '../kit/instant.ts';
import type { Keyring } from '../kit/keyring.ts';
import { type EndpointRow, secretContext } from './endpoint.ts';
import { liveSecrets } from './sign.ts';

/** The secrets that sign at a time, newest first, as they are told to receivers. */
export function liveSecretsOf(keyring: Keyring, endpoint: EndpointRow, now: Instant): string[] {
  const context = secretContext(endpoint.projectId, endpoint.id);
  const opened = endpoint.secrets.map(({ sealed, rotatedAt }) => ({
    secret: keyring.open('endpoint-secret', sealed, context),
    rotatedAt,
  }));
  return liveSecrets(opened, now).map(({ secret }) => secret);
}
