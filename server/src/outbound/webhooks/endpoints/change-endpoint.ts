import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import { findKeptAnswer } from '../../../platform/feed/writer/kept-answers.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, notFound } from '../../../platform/kit/errors.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { deleteQueuedBefore } from '../queue/queue-store.ts';
import { SCHEDULE_MS } from '../queue/schedule.ts';
import { decideApiVersion } from './decide-api-version.ts';
import type { EndpointRow } from './endpoint.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import type { ChangeEndpoint, Endpoint, Warnings } from './endpoint-schema.ts';
import { findEndpoints, updateEndpoint } from './endpoint-store.ts';
import { warningsFor } from './endpoint-warnings.ts';
import { toEndpoint } from './present-endpoint.ts';
import { vetUrl } from './vet-url.ts';

/** As stored under an Idempotency-Key. The previous version stored the endpoint alone. */
export interface ChangedEndpoint extends Endpoint {
  readonly warnings?: Warnings;
  /**
   * The number of deliveries dropped on enabling, because they had waited longer than the retry
   * schedule.
   */
  readonly droppedDeliveries?: number;
}

/**
 * Changes the given fields. Enabling drops what is older than the retry schedule and resumes the
 * rest (D-AM-5). Fails with INVALID_REQUEST for a URL that cannot be called, NOT_FOUND, or CONFLICT
 * `invalid_transition` for a version that it cannot switch to.
 */
export async function changeEndpoint(
  deps: EndpointDeps,
  request: WriteRequest,
  endpointId: string,
  input: ChangeEndpoint,
): Promise<ChangedEndpoint> {
  const known = await findKeptAnswer<ChangedEndpoint>(deps, request);
  if (known) return known.answer;
  const { url, description, eventTypes, fulfillmentMode, enabled, apiVersion } = input;
  const origin = url === undefined ? undefined : (await vetUrl(url, deps.reach)).origin;
  return deps.writer.run(request, async (write) => {
    const endpoints = await findEndpoints(write.tx, write.projectId);
    const endpoint = endpoints.find(({ id }) => id === endpointId);
    if (!endpoint) throw notFound('webhook endpoint');
    const next = applyChanges(write, endpoint, input);
    updateEndpoint(write.changeConfig(), next);
    const droppedDeliveries = await dropOutdated(write, endpoint, next);
    recordAudit(write, request, {
      action: 'webhook_endpoint.change',
      targetType: 'webhook_endpoint',
      targetId: endpointId,
      // Paths and queries of URLs can be secret.
      changes: {
        origin,
        description,
        eventTypes,
        fulfillmentMode,
        enabled,
        apiVersion,
        ...(droppedDeliveries > 0 ? { droppedDeliveries } : {}),
      },
    });
    const others = endpoints.filter(({ id }) => id !== endpointId);
    const warnings = warningsFor(endpointId, [...others, next]);
    return { answer: { ...toEndpoint(next), droppedDeliveries, warnings } };
  });
}

async function dropOutdated(
  { tx, projectId, realNow }: ProjectWrite,
  before: EndpointRow,
  { queueId }: EndpointRow,
): Promise<number> {
  if (queueId === null || before.pausedQueueId !== queueId) return 0;
  const outdated = { before: addMs(realNow, -SCHEDULE_MS), now: realNow };
  return deleteQueuedBefore(tx, projectId, queueId, outdated);
}

function applyChanges(
  write: ProjectWrite,
  endpoint: EndpointRow,
  input: ChangeEndpoint,
): EndpointRow {
  const pinned = decideApiVersion(endpoint, input.apiVersion ?? endpoint.apiVersion, write.realNow);
  if (!pinned) {
    throw conflict(
      'invalid_transition',
      'An endpoint goes to a newer version, or within 72 hours back to the one it had before.',
    );
  }
  const enabled = input.enabled ?? endpoint.queueId !== null;
  const queueId = endpoint.queueId ?? endpoint.pausedQueueId;
  return {
    ...endpoint,
    ...pinned,
    url: input.url ?? endpoint.url,
    description: input.description === undefined ? endpoint.description : input.description,
    eventTypes: input.eventTypes === undefined ? endpoint.eventTypes : input.eventTypes,
    fulfillmentMode: input.fulfillmentMode ?? endpoint.fulfillmentMode,
    queueId: enabled ? (queueId ?? write.newId('whq')) : null,
    pausedQueueId: enabled ? null : queueId,
    updatedAt: write.now,
  };
}
