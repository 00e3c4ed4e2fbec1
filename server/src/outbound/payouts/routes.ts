import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList } from '../../platform/http/routes/paging.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { countExample, TOTALS_TEXT } from '../../platform/http/routes/totals.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { changeSettings, getSettings } from './batches/change-settings.ts';
import { showOverview } from './overview/show-overview.ts';
import type { PayoutDeps } from './payout-deps.ts';
import {
  ChangeSettings,
  ListPayouts,
  Payout,
  PayoutDetail,
  PayoutOverview,
  PayoutQuery,
  PayoutSettings,
  PayoutTotals,
  RecordResult,
  ShowOverview,
} from './schema.ts';
import { recordResult } from './transfers/record-result.ts';
import { findPayoutDetail, listPayouts, totalPayouts } from './transfers/show-payouts.ts';

const TAG = 'Payouts';
const at = '2026-11-15T09:30:00.000Z';
const beneficiary = { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' };
const payoutExample = {
  id: 'po_01ka3m…',
  batchId: 'pob_01ka3m…',
  status: 'paid',
  method: 'manual_export',
  currency: 'USD',
  currencyExponent: 2,
  amountMinor: '1500',
  rewards: [
    { rewardId: 'rwd_01ka3m…', beneficiary, amountMinor: '2000' },
    { rewardId: 'rwd_01ka3k…', beneficiary, amountMinor: '-500' },
  ],
  providerReference: 'SEPA-2026-11-15-7',
  createdAt: at,
  paidAt: at,
  failureReason: null,
  failureMessage: null,
};
const origin = {
  programId: 'prg_01ka3m…',
  ruleId: 'rul_01ka3m…',
  eventId: 'evt_01ka3m…',
  eventType: 'purchase',
  participantId: 'par_01ka3n…',
  earnedAt: at,
};
const payoutDetailExample = {
  ...payoutExample,
  rewards: payoutExample.rewards.map((line) => ({ ...line, ...origin })),
};
const settingsExample = {
  workspaceId: 'ws_01ka3m…',
  minimums: { USD: '2500', JPY: '5000' },
  requireSecondApprover: false,
};
const usd = { currency: 'USD', currencyExponent: 2 };
const overviewExample = {
  payable: [{ ...usd, amountMinor: '12500', peopleCount: 9 }],
  waiting: [
    {
      reason: 'awaiting_payout_details',
      sums: [{ ...usd, amountMinor: '2500', peopleCount: 1 }],
      peopleCount: 1,
      nextAt: null,
      people: [{ participantId: 'par_01ka3m…', ...usd, amountMinor: '2500' }],
    },
  ],
  isComplete: true,
  rewardsMax: 100_000,
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
      summary: 'List payouts, newest first or oldest first',
      description:
        'A payout is one transfer to one payee in one currency. A payout to a partner may cover several Projects; this list shows only the lines of this Project. A payout must match all filters.',
      permissions: ['payouts:read'],
      query: ListPayouts,
      answer: CursorList(Payout),
      example: { answer: { success: true, data: [payoutExample], nextCursor: null } },
      handle: ({ project, query }) => listPayouts(reads, project.id, query),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payouts/totals',
      tag: TAG,
      summary: 'Count and sum the payouts that match',
      description: `Takes the filters of the list. ${TOTALS_TEXT}`,
      permissions: ['payouts:read'],
      query: PayoutQuery,
      answer: Success(PayoutTotals),
      example: {
        answer: success({
          ...countExample,
          sums: [{ currency: 'USD', currencyExponent: 2, amountMinor: '18000' }],
        }),
      },
      handle: async ({ project, query }) => success(await totalPayouts(reads, project.id, query)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payout-overview',
      tag: TAG,
      summary: 'Read what is owed in cash, and why some of it is not payable',
      description:
        'Leaves out what is in an open batch. Each amount has one reason: `other_delivery_method` (the product or the team pays it), `suspended`, `on_hold`, `debt` (they were paid more than they earned, and the next payout pays less), `awaiting_payout_details`, `account_not_connected` (no connected account pays to their kind of details), `below_minimum` or `above_maximum`.',
      permissions: ['payouts:read'],
      query: ShowOverview,
      answer: Success(PayoutOverview),
      example: { answer: success(overviewExample) },
      handle: async ({ project, query }) => success(await showOverview(deps, project, query)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payouts/{payoutId}',
      tag: TAG,
      summary: 'Read a payout',
      permissions: ['payouts:read'],
      answer: Success(PayoutDetail),
      refusals: [{ code: 'NOT_FOUND', when: 'the Project has no such payout' }],
      example: { answer: success(payoutDetailExample) },
      handle: async ({ project, params }) =>
        success(await findPayoutDetail(reads, project.id, params.payoutId as string)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payouts/{payoutId}/result',
      tag: TAG,
      summary: 'Record the result of a transfer',
      description:
        'For submitted payouts with method `manual_export`. For other methods, the service asks the provider itself. If a provider has given no answer about a transfer for 24 hours, look it up there and record the result here; the service then stops asking. `paid` fulfills the Rewards. `failed` and `returned` leave them for the next payout. A paid transfer can still be returned later. The result applies to all Projects that the transfer pays for. A repeat changes nothing.',
      permissions: ['payouts:write'],
      body: RecordResult,
      answer: Success(Payout),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Project has no such payout' },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the payout is not submitted, already has another result, or its provider has been unable to answer for less than 24 hours',
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
      summary: 'Read the minimum payout amounts and the approval rule',
      answer: Success(PayoutSettings),
      refusals: [noWorkspace],
      example: { answer: success(settingsExample) },
      handle: async ({ params }) => success(await getSettings(deps, params.workspaceId as string)),
    }),
    operatorRoute({
      method: 'PUT',
      path: '/v1/workspaces/{workspaceId}/payout-settings',
      about: 'path',
      tag: TAG,
      summary: 'Set the minimum payout amounts and the approval rule',
      description:
        '`minimums` replaces all minimums: a currency that is not listed has none, and null removes them all. With `requireSecondApprover`, the person who created a batch cannot approve it, and API keys cannot approve batches. Omitted fields keep their values.',
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
