import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { makeSecret, SECRET_BYTES } from '../sender/sign.ts';
import type { EndpointRow } from './endpoint.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import type { CreateEndpoint, Warnings } from './endpoint-schema.ts';
import { findEndpoints, insertEndpoint } from './endpoint-store.ts';
import { warningsFor } from './endpoint-warnings.ts';
import { type EndpointWithSecret, sealSecret } from './open-secrets.ts';
import { toEndpoint } from './present-endpoint.ts';
import { vetUrl } from './vet-url.ts';

export const ENDPOINTS_MAX = 10;

/**
 * Creates an enabled endpoint of the newest version, with its first secret. Fails with INVALID_REQUEST
 * for a URL that cannot be called, or CONFLICT `limit_reached`.
 */
export async function createEndpoint(
  deps: EndpointDeps,
  request: WriteRequest,
  input: CreateEndpoint,
): Promise<EndpointWithSecret & { readonly warnings: Warnings }> {
  const { origin } = await vetUrl(input.url, deps.reach);
  return deps.writer.run(request, async (write) => {
    const { projectId } = write;
    const endpoints = await findEndpoints(write.tx, projectId);
    if (endpoints.length >= ENDPOINTS_MAX) {
      throw conflict('limit_reached', `A project has at most ${ENDPOINTS_MAX} webhook endpoints.`);
    }
    const id = write.newId('whe');
    const secret = makeSecret(randomBytes(SECRET_BYTES));
    const sealed = sealSecret(deps.keyring, { projectId, id }, secret);
    const endpoint: EndpointRow = {
      projectId,
      id,
      url: input.url,
      description: input.description ?? null,
      eventTypes: input.eventTypes ?? null,
      apiVersion: deps.apiVersions.newest,
      previousApiVersion: null,
      apiVersionChangedAt: null,
      fulfillmentMode: input.fulfillmentMode ?? 'on_delivery',
      queueId: write.newId('whq'),
      pausedQueueId: null,
      secrets: [{ sealed, rotatedAt: null }],
      createdAt: write.now,
      updatedAt: write.now,
    };
    insertEndpoint(write.changeConfig(), endpoint);
    recordAudit(write, request, {
      action: 'webhook_endpoint.create',
      targetType: 'webhook_endpoint',
      targetId: id,
      // Paths and queries of URLs can be secret.
      changes: {
        origin,
        eventTypes: endpoint.eventTypes,
        fulfillmentMode: endpoint.fulfillmentMode,
        apiVersion: endpoint.apiVersion,
      },
    });
    const warnings = warningsFor(id, [...endpoints, endpoint]);
    return { answer: { endpoint: toEndpoint(endpoint), secret, warnings } };
  });
}
