import { CursorList } from '../../platform/http/routes/paging.ts';
import {
  operatorRoute,
  projectRoute,
  type Route,
  Success,
  success,
} from '../../platform/http/routes/route.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { changeSettings, findSettings } from './batches/change-settings.ts';
import { payoutExample } from './examples.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { ChangeSettings, ListPayouts, Payout, PayoutSettings, RecordResult } from './schema.ts';
import { recordResult } from './transfers/record-result.ts';
import { findPayoutIn, listPayouts } from './transfers/show-payouts.ts';

const TAG = 'Payouts';
const settingsExample = {
  workspaceId: 'ws_01ka3m…',
  minimums: { USD: '2500', JPY: '5000' },
  requireSecondApprover: false,
};
const noWorkspace = { code: 'NOT_FOUND', when: 'the Workspace does not exist' } as const;

export function payoutRoutes(deps: PayoutDeps): Route[] {
  const { reads } = deps.database;
  return [
    ...batchRoutes(deps),
    projectRoute({
      method: 'GET',
      path: '/v1/payouts',
      tag: TAG,
      summary: 'List payouts, newest first',
      description:
        'A payout is one transfer to one payee in one currency. One to a partner may pay for several Projects: here it has the lines of this Project only. Filters narrow the list together.',
      permissions: ['payouts:read'],
      query: ListPayouts,
      answer: CursorList(Payout),
      refusals: [{ code: 'INVALID_REQUEST', when: '`cursor` is not of this list' }],
      example: { answer: { success: true, data: [payoutExample], nextCursor: null } },
      handle: ({ project, query }) => listPayouts(reads, project.id, query),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payouts/{payoutId}',
      tag: TAG,
      summary: 'Read a payout',
      permissions: ['payouts:read'],
      answer: Success(Payout),
      refusals: [{ code: 'NOT_FOUND', when: 'the Project has no part in such a payout' }],
      example: { answer: success(payoutExample) },
      handle: async ({ project, params }) =>
        success(await findPayoutIn(reads, project.id, params.payoutId as string)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payouts/{payoutId}/result',
      tag: TAG,
      summary: 'Record what became of a transfer',
      description:
        'For payouts by `manual_export`, once submitted. Providers are asked by the service itself; of a transfer that its provider could not answer for in the last 24 hours, look it up there and record what you find. From then on the provider is not asked any more. `paid` fulfills the Rewards; `failed` and `returned` leave them to the next payout; what was paid can still be returned. It counts for all Projects that the transfer pays for. A repeat changes nothing.',
      permissions: ['payouts:write'],
      body: RecordResult,
      answer: Success(Payout),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Project has no part in such a payout' },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'it is not submitted, has ended otherwise, or is asked of a provider that answers, or has not been silent for 24 hours',
        },
      ],
      example: {
        body: { outcome: 'paid', reference: 'SEPA-2026-11-15-7' },
        answer: success(payoutExample),
      },
      handle: async ({ project, request, params, body }) =>
        success(
          await recordResult(deps, project, request, {
            ...body,
            payoutId: params.payoutId as string,
          }),
        ),
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/payout-settings',
      about: 'path',
      permission: 'payouts:read',
      tag: TAG,
      summary: 'Read the least amounts that are paid at once, and who may approve',
      answer: Success(PayoutSettings),
      refusals: [noWorkspace],
      example: { answer: success(settingsExample) },
      handle: async ({ params }) => success(await findSettings(deps, params.workspaceId as string)),
    }),
    operatorRoute({
      method: 'PUT',
      path: '/v1/workspaces/{workspaceId}/payout-settings',
      about: 'path',
      tag: TAG,
      summary: 'Set the least amounts that are paid at once, and who may approve',
      description:
        '`minimums` replaces them all: a currency that is not named has no minimum, and null removes every minimum. With `requireSecondApprover`, whoever made a batch cannot approve it. What is left out stays.',
      body: ChangeSettings,
      answer: Success(PayoutSettings),
      refusals: [noWorkspace],
      example: {
        body: { minimums: { USD: '2500', JPY: '5000' } },
        answer: success(settingsExample),
      },
      handle: async ({ request, params, body }) =>
        success(await changeSettings(deps, request, params.workspaceId as string, body)),
    }),
  ];
}
