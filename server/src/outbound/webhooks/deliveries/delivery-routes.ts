import Type from 'typebox';
import { CursorList } from '../../../platform/http/routes/paging.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../../platform/http/routes/route.ts';
import { replayDeliveries } from '../queue/replay-deliveries.ts';
import type { DeliveryDeps } from './delivery.ts';
import { Delivery, DeliveryWithAttempts, ListDeliveries, Replay } from './delivery-schema.ts';
import { EndpointHealth, HEALTH_ATTEMPTS } from './endpoint-health.ts';
import {
  findEndpointDelivery,
  listEndpointDeliveries,
  listEndpointHealth,
} from './show-deliveries.ts';

const TAG = 'Webhooks';
const READ = ['webhooks:read'] as const;
const PATH = '/v1/webhook-endpoints/{endpointId}';

const NO_ENDPOINT: Refusal = { code: 'NOT_FOUND', when: 'the endpoint does not exist' };

const attemptExample = {
  startedAt: '2026-11-15T09:30:00.012Z',
  outcome: 'retrying',
  responseStatus: 503,
  latencyMs: 41,
  failure: null,
};
const deliveryExample = {
  eventId: 'wev_01ka3m…',
  eventType: 'reward.earned',
  occurredAt: '2026-11-15T09:30:00.000Z',
  status: 'pending',
  attemptCount: 1,
  isSending: false,
  nextAttemptAt: '2026-11-15T09:30:30.053Z',
  lastAttempt: attemptExample,
};

export function deliveryRoutes(deps: DeliveryDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/webhook-endpoints/health',
      tag: TAG,
      summary: 'Read how each endpoint answers',
      description: `Counts the attempts for the newest events of each endpoint, at most ${HEALTH_ATTEMPTS}, in the order of the endpoints.`,
      permissions: READ,
      answer: Type.Object({ success: Type.Literal(true), data: Type.Array(EndpointHealth) }),
      example: {
        answer: {
          success: true,
          data: [
            {
              endpointId: 'whe_01ka3m…',
              attempts: 100,
              succeeded: 99,
              lastSuccessAt: '2026-11-15T09:30:00.012Z',
              lastFailure: { at: '2026-11-14T17:02:11.845Z', responseStatus: 503, failure: null },
            },
          ],
        },
      },
      handle: async ({ project }) => ({
        success: true as const,
        data: await listEndpointHealth(deps, project.id),
      }),
    }),
    projectRoute({
      method: 'GET',
      path: `${PATH}/deliveries`,
      tag: TAG,
      summary: 'List the deliveries of an endpoint, sent and pending',
      description:
        'One delivery for each event, newest event first, all as of the same moment. To see the response bodies, read the delivery itself. With `status`, a page can have fewer rows than `limit`, or none, although more follow. Continue until `nextCursor` is null. Sent deliveries are deleted after `ATTEMPT_RETENTION_DAYS` (default 30).',
      permissions: READ,
      query: ListDeliveries,
      answer: CursorList(Delivery),
      refusals: [NO_ENDPOINT],
      example: { answer: { success: true, data: [deliveryExample], nextCursor: null } },
      handle: ({ project, params, query }) =>
        listEndpointDeliveries(deps, project.id, params.endpointId as string, query),
    }),
    projectRoute({
      method: 'GET',
      path: `${PATH}/deliveries/{eventId}`,
      tag: TAG,
      summary: 'Read the delivery of an event, with its attempts and their responses',
      permissions: READ,
      answer: Type.Object({ success: Type.Literal(true), delivery: DeliveryWithAttempts }),
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the endpoint or the event does not exist, or the endpoint has no delivery of the event',
        },
      ],
      example: {
        answer: {
          success: true,
          delivery: {
            ...deliveryExample,
            attempts: [
              { id: 'wha_01ka3m…', number: 1, ...attemptExample, responseBody: 'Try later.' },
            ],
          },
        },
      },
      handle: async ({ project, params: { endpointId, eventId } }) => ({
        success: true as const,
        delivery: await findEndpointDelivery(
          deps,
          project.id,
          endpointId as string,
          eventId as string,
        ),
      }),
    }),
    projectRoute({
      method: 'POST',
      path: `${PATH}/replay`,
      tag: TAG,
      summary: 'Replay events to an endpoint',
      description:
        'Send either `eventIds`, for events of any type, or `since`, for all subscribed events from a time on. Each event becomes due immediately with a full set of attempts, whether it succeeded, failed, waits for a retry or was never queued. Events that are already due or being sent are skipped and not counted in `queued`. With `since`, the response comes after all events are queued, which can take a while. If there is no response, call again.',
      permissions: ['webhooks:write'],
      body: Replay,
      answer: Type.Object({
        success: Type.Literal(true),
        queued: Type.Integer({ description: 'Number of deliveries that this call made due.' }),
      }),
      refusals: [
        { code: 'INVALID_REQUEST', when: 'the body has both `eventIds` and `since`, or neither' },
        NO_ENDPOINT,
        { code: 'NOT_FOUND', when: 'one of `eventIds` does not exist; nothing is queued' },
        {
          code: 'CONFLICT',
          reason: 'endpoint_disabled',
          when: 'the endpoint is disabled, or was disabled while its events were being queued',
        },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…', eventIds: ['wev_01ka3m…'] },
        answer: { success: true, queued: 1 },
      },
      handle: ({ request, params, body }) =>
        replayDeliveries(deps, request, params.endpointId as string, body),
    }),
  ];
}
