import Type from 'typebox';
import { CursorList } from '../../../platform/http/routes/paging.ts';
import { projectRoute, type Refusal, type Route } from '../../../platform/http/routes/route.ts';
import { replayDeliveries } from '../queue/replay-deliveries.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { Delivery, DeliveryWithAttempts, ListDeliveries, Replay } from './delivery-schema.ts';
import { findEndpointDelivery } from './find-delivery.ts';
import { listEndpointDeliveries } from './list-deliveries.ts';

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
      path: `${PATH}/deliveries`,
      tag: TAG,
      summary: 'List what was sent to an endpoint, and what waits to be',
      description:
        'One for each event, that of the newest event first, as it all is at one moment. What was answered is in the delivery itself. With a `status`, a page can have fewer rows than `limit`, or none, though there are more: go on until `nextCursor` is null. What was sent is forgotten after `ATTEMPT_RETENTION_DAYS`, 30 unless set.',
      permissions: READ,
      query: ListDeliveries,
      answer: CursorList(Delivery),
      refusals: [
        { code: 'INVALID_REQUEST', when: '`cursor` is not of this list' },
        { code: 'NOT_FOUND', when: 'the endpoint, or the event asked for, does not exist' },
      ],
      example: { answer: { success: true, data: [deliveryExample], nextCursor: null } },
      handle: ({ project, params, query }) =>
        listEndpointDeliveries(deps, project.id, params.endpointId as string, query),
    }),
    projectRoute({
      method: 'GET',
      path: `${PATH}/deliveries/{eventId}`,
      tag: TAG,
      summary: 'Read every attempt to deliver an event, with what was answered',
      permissions: READ,
      answer: Type.Object({ success: Type.Literal(true), delivery: DeliveryWithAttempts }),
      refusals: [
        {
          code: 'NOT_FOUND',
          when: 'the endpoint or the event does not exist, or it was neither sent there nor waits to be',
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
      summary: 'Send events again, or for the first time',
      description:
        'Chosen ones by `eventIds`, whatever their types, or all that it subscribes to `since` a time: exactly one of both. Each becomes due at once and has all its attempts before it, whether it succeeded, failed, waits for a retry or was never queued. What is due already, or is being sent right now, is left alone and not counted in `queued`. With `since`, the answer comes when all are queued, which can take a while; if it does not come, call again.',
      permissions: ['webhooks:write'],
      body: Replay,
      answer: Type.Object({
        success: Type.Literal(true),
        queued: Type.Integer({ description: 'How many deliveries became due by this call.' }),
      }),
      refusals: [
        { code: 'INVALID_REQUEST', when: 'there is neither `eventIds` nor `since`, or both' },
        NO_ENDPOINT,
        { code: 'NOT_FOUND', when: 'one of `eventIds` does not exist; then nothing is queued' },
        {
          code: 'CONFLICT',
          reason: 'endpoint_disabled',
          when: 'the endpoint is disabled, or was while its events were queued',
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
