import Type from 'typebox';
import { Success, success } from '../../../../platform/http/routes/answers.ts';
import { projectOperatorRoute } from '../../../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../../../platform/http/routes/route.ts';
import type { StripeRouteDeps } from '../stripe-deps.ts';
import { changeConnection, createConnection, removeConnection } from './change-connection.ts';
import type { ConnectionRow } from './connection.ts';
import {
  ChangeConnection,
  CreateConnection,
  StripeConnection,
  toConnection,
} from './connection-schema.ts';
import { getConnection, listConnections } from './connection-store.ts';

const TAG = 'Stripe';
const PATH = '/v1/integrations/stripe/connections';

const connectionExample = {
  id: 'scn_01ka3m…',
  projectId: 'prj_01ka3m…',
  status: 'active',
  livemode: false,
  webhookUrl: 'https://refer.example.com/v1/integrations/stripe/prj_01ka3m…/scn_01ka3m…',
  hasWebhookSecret: false,
  last4: 'aB3x',
  sourceNamespaceId: 'src_01ka3m…',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};

const NO_CONNECTION: Refusal = { code: 'NOT_FOUND', when: 'the connection does not exist' };
const EXISTS: Refusal = {
  code: 'CONFLICT',
  reason: 'connection_exists',
  when: 'the Project has another connection that is active',
};

export function stripeConnectionRoutes(deps: StripeRouteDeps): Route[] {
  const { reads } = deps.database;
  const shown = (row: ConnectionRow) => success(toConnection(row, deps.baseUrl));
  return [
    projectOperatorRoute({
      method: 'POST',
      path: PATH,
      tag: TAG,
      summary: 'Connect a Project with its Stripe account',
      description:
        'Stripe creates the signing secret only after it knows the URL. First connect without `webhookSecret`, then create an endpoint for `webhookUrl` at Stripe, then send its secret by PATCH. The key and the secret are stored encrypted and never shown.',
      body: CreateConnection,
      answer: Success(StripeConnection),
      refusals: [
        EXISTS,
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: 'the Project has reached its limit of sources',
        },
      ],
      example: {
        body: { restrictedKey: 'rk_test_YourRestrictedKey' },
        answer: success(connectionExample),
      },
      handle: async ({ request, project, body }) =>
        shown(await createConnection(deps, request, project, body)),
    }),
    projectOperatorRoute({
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'List the Stripe connections of a Project, oldest first',
      answer: Success(Type.Array(StripeConnection)),
      example: { answer: success([connectionExample]) },
      handle: async ({ project }) => {
        const rows = await listConnections(reads, project.id);
        return success(rows.map((row) => toConnection(row, deps.baseUrl)));
      },
    }),
    projectOperatorRoute({
      method: 'GET',
      path: `${PATH}/{connectionId}`,
      tag: TAG,
      summary: 'Read a Stripe connection',
      answer: Success(StripeConnection),
      refusals: [NO_CONNECTION],
      example: { answer: success(connectionExample) },
      handle: async ({ project, params }) =>
        shown(await getConnection(reads, project.id, params.connectionId as string)),
    }),
    projectOperatorRoute({
      method: 'PATCH',
      path: `${PATH}/{connectionId}`,
      tag: TAG,
      summary: 'Change the keys of a Stripe connection, or disable or enable it',
      description:
        'When you set a new `webhookSecret`, the previous one stays valid for 24 hours, so nothing is lost while Stripe rotates it. A new key must belong to the same account, where earlier deliveries are looked up.',
      body: ChangeConnection,
      answer: Success(StripeConnection),
      refusals: [NO_CONNECTION, EXISTS],
      example: {
        body: { webhookSecret: 'whsec_YourSigningSecret' },
        answer: success({ ...connectionExample, hasWebhookSecret: true }),
      },
      handle: async ({ request, project, params, body }) => {
        const { environment } = project;
        const place = { environment, connectionId: params.connectionId as string };
        return shown(await changeConnection(deps, request, place, body));
      },
    }),
    projectOperatorRoute({
      method: 'DELETE',
      path: `${PATH}/{connectionId}`,
      tag: TAG,
      summary: 'Delete a Stripe connection',
      description:
        'Deletes its keys, disables its source and drops its parked events. Facts that it reported stay. Returns the connection as it was before.',
      answer: Success(StripeConnection),
      refusals: [NO_CONNECTION],
      example: { answer: success(connectionExample) },
      handle: async ({ request, params }) =>
        shown(await removeConnection(deps, request, params.connectionId as string)),
    }),
  ];
}
