import Type from 'typebox';
import { CsvText, Success, success } from '../../../platform/http/routes/answers.ts';
import { CursorList, pageOf, toCursorPage } from '../../../platform/http/routes/paging.ts';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { OneOf } from '../../../platform/kit/schema.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import { toBatch } from '../present.ts';
import {
  CreateBatch,
  ListBatches,
  ListedBatch,
  PayoutBatch,
  PayoutBatchDetail,
} from '../schema.ts';
import { approveBatch } from './approve-batch.ts';
import { listBatches } from './batch-store.ts';
import { cancelBatch } from './cancel-batch.ts';
import { createBatch } from './create-batch.ts';
import { exportBatch, LAYOUTS } from './export-batch.ts';
import { loadBatch } from './move-batch.ts';
import { countParts, listAwaiting } from './part-store.ts';
import { submitBatch } from './submit-batch.ts';

const TAG = 'Payouts';
const READ = ['payouts:read'] as const;
const WRITE = ['payouts:write'] as const;
const at = '2026-11-15T09:30:00.000Z';
const batchExample = {
  id: 'pob_01ka3m…',
  projectIds: ['prj_01ka3m…'],
  method: 'manual_export',
  currency: null,
  cutoffAt: null,
  status: 'draft',
  totals: [{ currency: 'USD', currencyExponent: 2, amountMinor: '1500', payoutCount: 1 }],
  createdBy: 'key:key_01ka3m…',
  createdAt: at,
  updatedAt: at,
  approvedBy: null,
  approvedAt: null,
  submittedAt: null,
  cancelledAt: null,
  failureReason: null,
};
const noBatch = { code: 'NOT_FOUND', when: 'the Project is not part of such a batch' } as const;
const refuses = (when: string) => [
  noBatch,
  { code: 'CONFLICT', reason: 'invalid_transition', when } as const,
];

const onHold = {
  code: 'CONFLICT',
  reason: 'store_restored',
  when: 'the store was restored and is not released yet',
} as const;

export function batchRoutes(deps: PayoutDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/payout-batches',
      tag: TAG,
      summary: 'Create a draft batch with all payouts that can be made',
      description:
        'Reserves every available cash Reward with delivery method `payout` whose beneficiary has payout details that suit the batch’s method. There is one payout for each payee and currency. Amounts below the minimum are carried over to a later batch. A Reward that was voided or refunded after it was paid is deducted as a negative line. A Reward is in one open batch at a time. Nothing is paid before the batch is approved and submitted.',
      permissions: WRITE,
      body: CreateBatch,
      answer: Success(PayoutBatch),
      refusals: [
        { code: 'INVALID_REQUEST', when: 'the Workspace has no payout connection for the method' },
        { code: 'NOT_FOUND', when: 'one of `projectIds` does not belong to the Workspace' },
        {
          code: 'ENVIRONMENT_MISMATCH',
          when: 'one of `projectIds` belongs to the other environment',
        },
      ],
      example: { body: { method: 'manual_export' }, answer: success(batchExample) },
      handle: async ({ project, request, body }) =>
        success(toBatch(await createBatch(deps, project, request, body))),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payout-batches',
      tag: TAG,
      summary: 'List the payout batches that include a Project, newest first',
      permissions: READ,
      query: ListBatches,
      answer: CursorList(ListedBatch),
      example: {
        answer: {
          success: true,
          data: [{ ...batchExample, awaitsResults: false }],
          nextCursor: null,
        },
      },
      handle: async ({ project, query }) => {
        const { reads } = deps.database;
        const page = toCursorPage(query, 'pob');
        const rows = await listBatches(reads, project, query.status ?? null, page);
        const ids = rows.map(({ id }) => id);
        const awaiting = new Set(await listAwaiting(reads, project.id, ids));
        return pageOf(rows, page, (row) => ({
          ...toBatch(row),
          awaitsResults: awaiting.has(row.id),
        }));
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payout-batches/{batchId}',
      tag: TAG,
      summary: 'Read a payout batch',
      permissions: READ,
      answer: Success(PayoutBatchDetail),
      refusals: [noBatch],
      example: {
        answer: success({
          ...batchExample,
          awaitsResults: false,
          payeeCount: 1,
          payoutsByStatus: [{ status: 'draft', count: 1 }],
        }),
      },
      handle: async ({ project, params }) => {
        const batch = await loadBatch(deps, project, params.batchId as string);
        const standing = await countParts(deps.database.reads, project.id, batch.id);
        const awaitsResults = standing.payoutsByStatus.some(
          ({ status }) => status === 'processing',
        );
        return success({ ...toBatch(batch), awaitsResults, ...standing });
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payout-batches/{batchId}/approve',
      tag: TAG,
      summary: 'Approve a draft batch and make its amounts final',
      description:
        'Every line is recalculated from the current value of its Reward and is then final. A payout that is now below the minimum is cancelled, and its Rewards wait for the next batch. The other Rewards become `in_progress`.',
      permissions: WRITE,
      answer: Success(PayoutBatch),
      refusals: [
        ...refuses('the batch is not a draft'),
        onHold,
        {
          code: 'FORBIDDEN',
          reason: 'second_approver_required',
          when: 'the Workspace requires a second approver: neither the batch’s creator nor an API key can approve',
        },
      ],
      example: { body: {}, answer: success({ ...batchExample, status: 'approved' }) },
      handle: async ({ project, request, params }) =>
        success(toBatch(await approveBatch(deps, project, request, params.batchId as string))),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payout-batches/{batchId}/submit',
      tag: TAG,
      summary: 'Submit an approved batch',
      description:
        'The service then instructs the provider to make the transfers. With `manual_export`, payouts wait until you record their results.',
      permissions: WRITE,
      answer: Success(PayoutBatch),
      refusals: [
        ...refuses('the batch is not approved, or is already submitted'),
        onHold,
        {
          code: 'CONFLICT',
          reason: 'not_connected',
          when: 'the Workspace no longer has a payout connection for the method',
        },
      ],
      example: { body: {}, answer: success({ ...batchExample, status: 'submitted' }) },
      handle: async ({ project, request, params }) =>
        success(toBatch(await submitBatch(deps, project, request, params.batchId as string))),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payout-batches/{batchId}/cancel',
      tag: TAG,
      summary: 'Cancel a batch that was not submitted',
      description: 'Cancels all its payouts. Their Rewards wait for the next batch.',
      permissions: WRITE,
      answer: Success(PayoutBatch),
      refusals: refuses('the batch is already submitted or cancelled'),
      example: { body: {}, answer: success({ ...batchExample, status: 'cancelled' }) },
      handle: async ({ project, request, params }) =>
        success(toBatch(await cancelBatch(deps, project, request, params.batchId as string))),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payout-batches/{batchId}/export',
      tag: TAG,
      summary: 'Export the transfers of a batch as CSV, to make them yourself',
      description:
        'For approved batches with method `manual_export`. Omits payouts that already have a result. The file contains full account numbers, so this call needs write permission, and every export is recorded in the audit log. `layout=paypal` has the columns of PayPal’s mass payment page, has no header row, and contains only payees with PayPal details. A cell that a spreadsheet would read as a formula starts with an apostrophe.',
      permissions: WRITE,
      query: Type.Object({ layout: Type.Optional(OneOf(LAYOUTS)) }),
      isCsv: true,
      answer: Type.String(),
      refusals: [...refuses('the batch is not approved, or is paid by a provider'), onHold],
      example: {
        answer: '"payout_id","type","recipient_name"…\r\n"po_01ka3m…","bank","Ada Lovelace"…\r\n',
      },
      handle: async ({ project, request, params, query }) => {
        const batchId = params.batchId as string;
        const layout = query.layout ?? 'bank';
        const text = await exportBatch(deps, project, request, { batchId, layout });
        return new CsvText(`${batchId}-${layout}.csv`, text);
      },
    }),
  ];
}
