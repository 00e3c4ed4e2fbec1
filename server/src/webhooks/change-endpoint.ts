import { findKeptAnswer } from '../feed/keep-whole.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import type { WriteRequest } from '../http/principal.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { recordAudit } from '../workspaces/record-audit.ts';
import { decideApiVersion } from './decide-api-version.ts';
import type { EndpointRow } from './endpoint.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import type { ChangeEndpoint, Endpoint } from './endpoint-schema.ts';
import { findEndpoint, updateEndpoint } from './endpoint-store.ts';
import { toEndpoint } from './present-endpoint.ts';
import { vetUrl } from './vet-url.ts';

/**
 * Changes what is given. Ends with INVALID_REQUEST for a URL that cannot be called, NOT_FOUND, or
 * CONFLICT `invalid_transition` for a version that it cannot go to.
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  request: WriteRequest,
  endpointId: string,
  input: ChangeEndpoint,
): Promise<Endpoint> {
  const known = await findKeptAnswer<Endpoint>(deps, request);
  if (known) return known.answer;
  const { url, description, eventTypes, fulfillmentMode, enabled, apiVersion } = input;
  const origin = url === undefined ? undefined : (await vetUrl(url, deps.reach)).origin;
  return deps.writer.run(request, async (write) => {
    const endpoint = await findEndpoint(write.tx, write.projectId, endpointId);
    if (!endpoint) throw notFound('webhook endpoint');
    const next = applyChanges(write, endpoint, input);
    updateEndpoint(write.changeConfig(), next);
    recordAudit(write, request, {
      action: 'webhook_endpoint.change',
      targetType: 'webhook_endpoint',
      targetId: endpointId,
      // Paths and queries of URLs can be secret.
      changes: { origin, description, eventTypes, fulfillmentMode, enabled, apiVersion },
    });
    return { answer: toEndpoint(next) };
  });
}

function applyChanges(write: ProjectWrite, endpoint: EndpointRow, input: ChangeEndpoint) {
  const pinned = decideApiVersion(endpoint, input.apiVersion ?? endpoint.apiVersion, write.realNow);
  if (!pinned) {
    throw conflict(
      'invalid_transition',
      'An endpoint goes to a newer version, or within 72 hours back to the one it had before.',
    );
  }
  const enabled = input.enabled ?? endpoint.queueId !== null;
  return {
    ...endpoint,
    ...pinned,
    url: input.url ?? endpoint.url,
    description: input.description === undefined ? endpoint.description : input.description,
    eventTypes: input.eventTypes === undefined ? endpoint.eventTypes : input.eventTypes,
    fulfillmentMode: input.fulfillmentMode ?? endpoint.fulfillmentMode,
    // What waited under an id that was given up is never sent (D-WH-4).
    queueId: enabled ? (endpoint.queueId ?? write.newId('whq')) : null,
    updatedAt: write.now,
  };
}
