import Type from 'typebox';
import { assertWorkspace } from '../../../accounts/workspaces/queries.ts';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { operatorRoute } from '../../../platform/http/routes/user-routes.ts';
import {
  type ConnectionDeps,
  connectPayouts,
  disconnectPayouts,
  noConnection,
} from './change-payout-connection.ts';
import { type ConnectionRow, toConnection } from './payout-connection.ts';
import { Connect, PayoutConnection } from './payout-connection-schema.ts';
import { findConnection, listConnections } from './payout-connection-store.ts';

const TAG = 'Payouts';
const at = '2026-11-15T09:30:00.000Z';
const example = {
  id: 'pcn_3vq8d1…',
  workspaceId: 'ws_01ka3m…',
  environment: 'live',
  method: 'paypal',
  last4: 'x9Zq',
  webhookUrl: 'https://refer.example.com/v1/integrations/paypal/ws_01ka3m…/pcn_3vq8d1…',
  checksWebhooks: true,
  createdAt: at,
  updatedAt: at,
} as const;
const noWorkspace = { code: 'NOT_FOUND', when: 'the Workspace does not exist' } as const;
const noSuch = { code: 'NOT_FOUND', when: 'the Workspace has no such connection' } as const;
const open = {
  code: 'CONFLICT',
  reason: 'payouts_open',
  when: 'payouts from the connected account are still in progress',
} as const;

type Place = Readonly<Record<'workspaceId' | 'connectionId', string>>;

export function payoutConnectionRoutes(deps: ConnectionDeps): Route[] {
  const { reads } = deps.database;
  const shown = (row: ConnectionRow) => success(toConnection(row, deps.baseUrl));
  return [
    operatorRoute({
      method: 'PUT',
      path: '/v1/workspaces/{workspaceId}/payout-connections',
      about: 'path',
      tag: TAG,
      summary: 'Connect an account to pay from',
      description:
        'There is one connection for each method and environment; a new one replaces it. Credentials are stored encrypted and never shown again. You can renew the secrets of the same account (the same PayPal client id, Wise profile or Stripe account) at any time. You can switch to another account only while no payout from the first is in progress. `sandbox` uses the sandboxes of PayPal and Wise, and accepts only test keys of Stripe.',
      body: Connect,
      answer: Success(PayoutConnection),
      refusals: [
        noWorkspace,
        open,
        {
          code: 'SERVICE_UNAVAILABLE',
          when: 'Stripe cannot be reached to check which account a key belongs to',
        },
      ],
      example: {
        body: {
          environment: 'live',
          method: 'paypal',
          paypal: {
            clientId: 'example-client-id',
            clientSecret: 'example-client-secret',
            webhookId: 'example-webhook-id',
          },
        },
        answer: success(example),
      },
      handle: async ({ request, params, body }) =>
        shown(await connectPayouts(deps, request, params.workspaceId as string, body)),
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/payout-connections',
      about: 'path',
      permission: 'payouts:read',
      tag: TAG,
      summary: 'List the accounts that a Workspace pays from',
      answer: Success(Type.Array(PayoutConnection)),
      refusals: [noWorkspace],
      example: { answer: success([example]) },
      handle: async ({ params }) => {
        const workspaceId = params.workspaceId as string;
        await assertWorkspace(reads, workspaceId);
        const rows = await listConnections(reads, workspaceId);
        return success(rows.map((row) => toConnection(row, deps.baseUrl)));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/payout-connections/{connectionId}',
      about: 'path',
      permission: 'payouts:read',
      tag: TAG,
      summary: 'Read a payout connection',
      answer: Success(PayoutConnection),
      refusals: [noSuch],
      example: { answer: success(example) },
      handle: async ({ params }) => {
        const { workspaceId, connectionId } = params as Place;
        const row = await findConnection(reads, workspaceId, connectionId);
        if (!row) throw noConnection();
        return shown(row);
      },
    }),
    operatorRoute({
      method: 'DELETE',
      path: '/v1/workspaces/{workspaceId}/payout-connections/{connectionId}',
      about: 'path',
      tag: TAG,
      summary: 'Disconnect an account',
      description:
        'Deletes the credentials. Batches of this method cannot be submitted until an account is connected again. The service no longer notices when earlier payouts are returned.',
      answer: Success(PayoutConnection),
      refusals: [noSuch, open],
      example: { answer: success(example) },
      handle: async ({ request, params }) => {
        const { workspaceId, connectionId } = params as Place;
        return shown(await disconnectPayouts(deps, request, workspaceId, connectionId));
      },
    }),
  ];
}
