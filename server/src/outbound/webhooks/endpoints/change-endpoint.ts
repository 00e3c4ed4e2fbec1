import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { findKeptAnswer } from '../../../platform/feed/writer/kept-answers.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, notFound } from '../../../platform/kit/errors.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { deleteQueuedBefore } from '../queue/queue-store.ts';
import { SCHEDULE_MS } from '../queue/schedule.ts';
import { makeSecret, SECRET_BYTES } from '../sender/sign.ts';
import { decideApiVersion } from './decide-api-version.ts';
import type { ChangeDeps, EndpointDeps, EndpointRow } from './endpoint.ts';
import {
  type ChangeEndpoint,
  type CreateEndpoint,
  type Endpoint,
  toEndpoint,
  type Warnings,
} from './endpoint-schema.ts';
import { type EndpointWithSecret, sealSecret } from './endpoint-secrets.ts';
import {
  deleteEndpoint,
  findEndpoints,
  getEndpoint,
  insertEndpoint,
  updateEndpoint,
} from './endpoint-store.ts';
import { vetUrl } from './endpoint-url.ts';
import { warningsFor } from './endpoint-warnings.ts';

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
  deps: ChangeDeps,
  request: WriteRequest,
  endpointId: string,
  input: ChangeEndpoint,
): Promise<ChangedEndpoint> {
  const known = await findKeptAnswer<ChangedEndpoint>(deps, request);
  if (known) return known.answer;
  const { url, description, eventTypes, fulfillmentMode, enabled, apiVersion } = input;
  const origin = url === undefined ? undefined : (await vetUrl(url, deps.reach)).origin;
  const changed = await deps.writer.run(request, async (write) => {
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
      before: { ...toEndpoint(endpoint), origin: new URL(endpoint.url).origin },
    });
    const others = endpoints.filter(({ id }) => id !== endpointId);
    const warnings = warningsFor(endpointId, [...others, next]);
    return { answer: { ...toEndpoint(next), droppedDeliveries, warnings } };
  });
  if (changed.enabled) deps.onDeliveriesDue(request.projectId);
  return changed;
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
      'An endpoint can only change to a newer version, or back to its previous version within 72 hours.',
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

/** Deletes an endpoint and its secrets; returns the deleted row. Fails with NOT_FOUND. */
export function removeEndpoint(
  writer: ProjectWriter,
  request: WriteRequest,
  endpointId: string,
): Promise<Endpoint> {
  return writer.run(request, async (write) => {
    const endpoint = await getEndpoint(write.tx, write.projectId, endpointId);
    deleteEndpoint(write.changeConfig(), write.projectId, endpointId);
    recordAudit(write, request, {
      action: 'webhook_endpoint.delete',
      targetType: 'webhook_endpoint',
      targetId: endpointId,
      changes: {},
    });
    return { answer: toEndpoint(endpoint) };
  });
}
