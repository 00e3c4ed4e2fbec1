import Type from 'typebox';
import { CursorList, pageOf, toCursorPage } from '../../../platform/http/routes/paging.ts';
import {
  CsvText,
  projectRoute,
  type Route,
  Success,
  success,
} from '../../../platform/http/routes/route.ts';
import { OneOf } from '../../../platform/kit/schema.ts';
import { batchExample } from '../examples.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import { toBatch } from '../present.ts';
import { listBatches } from '../queries.ts';
import { CreateBatch, ListBatches, PayoutBatch, PayoutBatchDetail } from '../schema.ts';
import { approveBatch } from './approve-batch.ts';
import { cancelBatch } from './cancel-batch.ts';
import { createBatch } from './create-batch.ts';
import { exportBatch, LAYOUTS } from './export-batch.ts';
import { loadBatch } from './move-batch.ts';
import { countParts } from './part-store.ts';
import { submitBatch } from './submit-batch.ts';

const TAG = 'Payouts';
const READ = ['payouts:read'] as const;
const WRITE = ['payouts:write'] as const;
const noBatch = { code: 'NOT_FOUND', when: 'the Project is in no such batch' } as const;
const refuses = (when: string) => [
  noBatch,
  { code: 'CONFLICT', reason: 'invalid_transition', when } as const,
];

export function batchRoutes(deps: PayoutDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/payout-batches',
      tag: TAG,
      summary: 'Draft the payouts of everything that can be paid',
      description:
        'Reserves every available cash Reward of delivery method `payout` whose beneficiary has payout details that the method can pay to, one payout for each payee and currency. Who comes to less than the minimum is carried over. What was paid and has been voided or refunded since comes off as a line below zero. A Reward is in one open batch at a time. Nothing is paid before the batch is approved and submitted.',
      permissions: WRITE,
      body: CreateBatch,
      answer: Success(PayoutBatch),
      refusals: [
        { code: 'INVALID_REQUEST', when: 'the Workspace has no connection to pay by the method' },
        { code: 'NOT_FOUND', when: 'one of `projectIds` is no Project of the Workspace' },
        {
          code: 'ENVIRONMENT_MISMATCH',
          when: 'one of `projectIds` is of the other environment',
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
      summary: 'List the payout batches that a Project is in, newest first',
      permissions: READ,
      query: ListBatches,
      answer: CursorList(PayoutBatch),
      example: { answer: { success: true, data: [batchExample], nextCursor: null } },
      handle: async ({ project, query }) => {
        const page = toCursorPage(query, 'pob');
        const rows = await listBatches(deps.database.reads, project, query.status ?? null, page);
        return pageOf(rows, page, toBatch);
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
          payeeCount: 1,
          payoutsByStatus: [{ status: 'draft', count: 1 }],
        }),
      },
      handle: async ({ project, params }) => {
        const batch = await loadBatch(deps, project, params.batchId as string);
        const standing = await countParts(deps.database.reads, project.id, batch.id);
        return success({ ...toBatch(batch), ...standing });
      },
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/payout-batches/{batchId}/approve',
      tag: TAG,
      summary: 'Approve a draft: its amounts become final',
      description:
        'Every line is computed anew, by what its Reward is worth now, and stays as it is from then on. A payout that has fallen below the minimum is cancelled, and its Rewards wait for the next one. The Rewards are `in_progress`.',
      permissions: WRITE,
      answer: Success(PayoutBatch),
      refusals: [
        ...refuses('it is no draft (any more)'),
        {
          code: 'FORBIDDEN',
          reason: 'second_approver_required',
          when: 'the Workspace wants somebody else than who made it',
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
        'A provider is then told to make the transfers. Those of `manual_export` wait for their results.',
      permissions: WRITE,
      answer: Success(PayoutBatch),
      refusals: [
        ...refuses('it is not approved, or was submitted already'),
        {
          code: 'CONFLICT',
          reason: 'not_connected',
          when: 'the Workspace has no connection to pay by the method any more',
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
      summary: 'Give up a batch that was not submitted',
      description: 'All its payouts are cancelled, and their Rewards wait for the next one.',
      permissions: WRITE,
      answer: Success(PayoutBatch),
      refusals: refuses('it was submitted or cancelled already'),
      example: { body: {}, answer: success({ ...batchExample, status: 'cancelled' }) },
      handle: async ({ project, request, params }) =>
        success(toBatch(await cancelBatch(deps, project, request, params.batchId as string))),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/payout-batches/{batchId}/export',
      tag: TAG,
      summary: 'Export the transfers of a batch as CSV, to be made by hand',
      description:
        'For `manual_export`, once approved. Payouts that have their result are left out. It holds account numbers in clear, which is why it needs to write; every export is in the audit log. `layout=paypal` has the columns of PayPal’s page for mass payments, without a head, and only payees with PayPal details. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
      permissions: WRITE,
      query: Type.Object({ layout: Type.Optional(OneOf(LAYOUTS)) }),
      isCsv: true,
      answer: Type.String(),
      refusals: refuses('it is not approved, or a provider pays it'),
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
