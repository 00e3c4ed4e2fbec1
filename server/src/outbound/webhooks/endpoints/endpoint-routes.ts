import Type from 'typebox';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../../platform/http/routes/route.ts';
import { notFound, unavailable } from '../../../platform/kit/errors.ts';
import { atMost, sendTest } from '../send-test.ts';
import {
  changeEndpoint,
  createEndpoint,
  ENDPOINTS_MAX,
  removeEndpoint,
} from './change-endpoint.ts';
import type { ChangeDeps } from './endpoint.ts';
import {
  CreateEndpoint,
  changeEndpointBody,
  Endpoint,
  TestAnswer,
  TestEndpoint,
  toEndpoint,
  Warnings,
} from './endpoint-schema.ts';
import { rotateSecret } from './endpoint-secrets.ts';
import { findEndpoints } from './endpoint-store.ts';
import { warningsAbout, warningsFor } from './endpoint-warnings.ts';

const TAG = 'Webhooks';
const READ = ['webhooks:read'] as const;
const WRITE = ['webhooks:write'] as const;
/** Each may take 10 s. */
const TESTS_MAX = 10;

const endpointExample = {
  id: 'whe_01ka3m…',
  projectId: 'prj_01ka3m…',
  url: 'https://shop.example.com/webhooks',
  description: 'Grants rewards',
  eventTypes: ['reward.earned', 'reward.voided'],
  apiVersion: '2026-10-04',
  fulfillmentMode: 'on_delivery',
  enabled: true,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfNqXs…';

const Answer = Type.Object({ success: Type.Literal(true), endpoint: Endpoint });
const WarnedAnswer = Type.Object({ ...Answer.properties, warnings: Warnings });
const ChangeAnswer = Type.Object({
  ...Answer.properties,
  droppedDeliveries: Type.Integer({
    description:
      'Number of deliveries that were dropped because they had waited longer than the retry schedule lasts.',
  }),
  warnings: Warnings,
});
const SecretAnswer = Type.Object({
  ...Answer.properties,
  secret: Type.String({ description: 'The signing secret. Only this response contains it.' }),
});
const CreateAnswer = Type.Object({ ...SecretAnswer.properties, warnings: Warnings });
const NO_ENDPOINT: Refusal = { code: 'NOT_FOUND', when: 'the endpoint does not exist' };
const BAD_URL = Object.entries({
  invalid_url: '`url` is not a valid address for an endpoint',
  name_not_resolved: 'the host of `url` has no address',
  address_refused: 'an address of the host is not public, or `url` is not https',
}).map(([reason, when]): Refusal => ({ code: 'INVALID_REQUEST', reason, when }));

export function endpointRoutes(deps: ChangeDeps): Route[] {
  const { database, apiVersions } = deps;
  const runTest = atMost(TESTS_MAX, () =>
    unavailable('Too many endpoint tests are running. Try again shortly.', 'overloaded'),
  );
  const succeeded = async <A extends object>(answer: Promise<A>) => ({
    success: true as const,
    ...(await answer),
  });
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/webhook-endpoints',
      tag: TAG,
      summary: 'Create a webhook endpoint',
      description:
        'Every new event of the chosen types is sent to `url`, signed with `secret`, in the newest `apiVersion`. Store the secret: only this response contains it. Several endpoints may have the same URL.',
      permissions: WRITE,
      keepsAnswer: false,
      body: CreateEndpoint,
      answer: CreateAnswer,
      refusals: [
        ...BAD_URL,
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: `the Project already has ${ENDPOINTS_MAX} endpoints`,
        },
      ],
      example: {
        body: {
          url: endpointExample.url,
          description: endpointExample.description,
          eventTypes: endpointExample.eventTypes,
        },
        answer: { success: true, endpoint: endpointExample, secret: secretExample, warnings: [] },
      },
      handle: ({ request, body }) => succeeded(createEndpoint(deps, request, body)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/webhook-endpoints',
      tag: TAG,
      summary: 'List the endpoints, oldest first',
      permissions: READ,
      answer: Type.Object({
        success: Type.Literal(true),
        endpoints: Type.Array(Endpoint),
        warnings: Warnings,
      }),
      example: { answer: { success: true, endpoints: [endpointExample], warnings: [] } },
      handle: async ({ project }) => {
        const rows = await findEndpoints(database.reads, project.id);
        return {
          success: true as const,
          endpoints: rows.map(toEndpoint),
          warnings: warningsAbout(rows),
        };
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/webhook-endpoints/{endpointId}',
      tag: TAG,
      summary: 'Read an endpoint',
      permissions: READ,
      answer: WarnedAnswer,
      refusals: [NO_ENDPOINT],
      example: { answer: { success: true, endpoint: endpointExample, warnings: [] } },
      handle: async ({ project, params }) => {
        const rows = await findEndpoints(database.reads, project.id);
        const row = rows.find(({ id }) => id === params.endpointId);
        if (!row) throw notFound('webhook endpoint');
        const warnings = warningsFor(row.id, rows);
        return { success: true as const, endpoint: toEndpoint(row), warnings };
      },
    }),
    projectRoute({
      method: 'PATCH',
      path: '/v1/webhook-endpoints/{endpointId}',
      tag: TAG,
      summary: 'Change, disable or enable an endpoint',
      description:
        'A disabled endpoint keeps its pending deliveries and gets no new ones; the feed continues. Enabling it resumes the pending deliveries. Those that were queued longer ago than the retry schedule lasts (73 hours) are dropped and counted in `droppedDeliveries`. You can replay events that happened while it was disabled. `apiVersion` can be raised at any time. For 72 hours after a change you can go back to the previous version.',
      permissions: WRITE,
      body: changeEndpointBody(apiVersions.names),
      answer: ChangeAnswer,
      refusals: [
        ...BAD_URL,
        NO_ENDPOINT,
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: '`apiVersion` is older than the current one, and the endpoint did not have it in the last 72 hours',
        },
      ],
      example: {
        body: { enabled: false },
        answer: {
          success: true,
          endpoint: { ...endpointExample, enabled: false },
          droppedDeliveries: 0,
          warnings: [],
        },
      },
      handle: async ({ request, params, body }) => {
        const changed = await changeEndpoint(deps, request, params.endpointId as string, body);
        const { droppedDeliveries = 0, warnings = [], ...endpoint } = changed;
        return { success: true as const, endpoint, droppedDeliveries, warnings };
      },
    }),
    projectRoute({
      method: 'DELETE',
      path: '/v1/webhook-endpoints/{endpointId}',
      tag: TAG,
      summary: 'Delete an endpoint',
      description:
        'Drops its pending deliveries and deletes its secrets. The events stay in the feed. Returns the endpoint as it was before.',
      permissions: WRITE,
      answer: Answer,
      refusals: [NO_ENDPOINT],
      example: { answer: { success: true, endpoint: endpointExample } },
      handle: async ({ request, params }) => ({
        success: true as const,
        endpoint: await removeEndpoint(deps.writer, request, params.endpointId as string),
      }),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/webhook-endpoints/{endpointId}/rotate-secret',
      tag: TAG,
      summary: 'Give an endpoint a new signing secret',
      description:
        'For 24 hours, deliveries are signed with both the old and the new secret. At most three secrets sign at a time: a third rotation within 24 hours ends the oldest immediately.',
      permissions: WRITE,
      keepsAnswer: false,
      answer: SecretAnswer,
      refusals: [NO_ENDPOINT],
      example: {
        body: {},
        answer: { success: true, endpoint: endpointExample, secret: secretExample },
      },
      handle: ({ request, params }) =>
        succeeded(rotateSecret(deps, request, params.endpointId as string)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/webhook-endpoints/{endpointId}/test',
      tag: TAG,
      summary: 'Send a sample event to an endpoint now',
      description:
        'The sample is signed like a real event and has the endpoint’s `apiVersion`. It is sent even to a disabled endpoint. Its id starts with `wev_test_`, and the objects in it do not exist. It is sent once and not stored, and a response to it records no grant.',
      permissions: WRITE,
      keepsAnswer: false,
      body: TestEndpoint,
      answer: TestAnswer,
      refusals: [
        NO_ENDPOINT,
        {
          code: 'SERVICE_UNAVAILABLE',
          reason: 'overloaded',
          when: `${TESTS_MAX} tests are already running in this process`,
        },
      ],
      example: {
        body: { type: 'reward.earned' },
        answer: {
          success: true,
          webhookId: 'wev_test_01ka3m…',
          delivered: true,
          responseStatus: 200,
          responseBody: 'ok',
          latencyMs: 84,
          failure: null,
        },
      },
      handle: ({ project, params, body }) =>
        runTest(() => succeeded(sendTest(deps, project, params.endpointId as string, body.type))),
    }),
  ];
}
