import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { liveSecrets, makeSecret, SECRET_BYTES } from '../sender/sign.ts';
import type { EndpointRow } from './endpoint.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import { findEndpoint, updateEndpoint } from './endpoint-store.ts';
import { type EndpointWithSecret, sealSecret } from './open-secrets.ts';
import { toEndpoint } from './present-endpoint.ts';

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
    const endpoint = await findEndpoint(write.tx, write.projectId, endpointId);
    if (!endpoint) throw notFound('webhook endpoint');
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
