import Type from 'typebox';
import { declareRestore } from '../../accounts/workspaces/payment-hold/declare-restore.ts';
import { assertWorkspace } from '../../accounts/workspaces/queries.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList, pageOf, toCursorPage } from '../../platform/http/routes/paging.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import { invalid } from '../../platform/kit/errors.ts';
import { parseInstant } from '../../platform/kit/instant.ts';
import { changeAdvance } from '../payouts/advances/change-advance.ts';
import { listAdvances, type UsedAdvance, withUses } from '../payouts/advances/queries.ts';
import { realNow } from '../payouts/payout-deps.ts';
import { addTransfers, askAgain, overrideCheck } from './change-checks.ts';
import { toPayoutAdvance } from './present-advance.ts';
import { releaseRestore } from './release-restore.ts';
import type { RestoreDeps } from './restore-deps.ts';
import { advanceExample, restoreExample } from './route-examples.ts';
import {
  AddedTransfers,
  AddTransfers,
  AssignAdvance,
  DeclareRestore,
  DismissAdvance,
  ListAdvances,
  OverrideCheck,
  PayoutAdvance,
  ReleaseRestore,
  Restore,
} from './schema.ts';
import { getRestore, showRestore, showRestores } from './show-restores.ts';

const TAG = 'Restores';
const noRestore = { code: 'NOT_FOUND', when: 'the Workspace has no such restore' } as const;
const released = {
  code: 'CONFLICT',
  reason: 'restore_released',
  when: 'the restore is already released',
} as const;
const noAdvance = { code: 'NOT_FOUND', when: 'the Workspace has no such advance' } as const;

const BASE = '/v1/workspaces/{workspaceId}/restores';
const ADVANCE = '/v1/workspaces/{workspaceId}/payout-advances/{advanceId}';
const READ = { about: 'path', permission: 'payouts:read', tag: TAG } as const;
const WRITE = { about: 'path', permission: 'payouts:write', tag: TAG } as const;

type Place = Readonly<Record<'workspaceId' | 'restoreId' | 'connectionId' | 'advanceId', string>>;

/** After a restore, a Workspace pays nothing until its providers were asked and it is released. */
export function restoreRoutes(deps: RestoreDeps): Route[] {
  const { reads } = deps.database;
  const show = async ({ workspaceId, restoreId }: Place) =>
    success(await showRestore(reads, await getRestore(reads, workspaceId, restoreId)));
  const about = (request: WriteRequest, params: object): [WriteRequest, Place] => {
    const place = params as Place;
    return [{ ...request, workspaceId: place.workspaceId }, place];
  };
  const shown = async (advance: Omit<UsedAdvance, 'uses'>) => {
    const [used] = await withUses(reads, [advance]);
    return success(toPayoutAdvance(used as UsedAdvance));
  };
  return [
    operatorRoute({
      ...READ,
      method: 'GET',
      path: BASE,
      summary: 'List the restores of a Workspace, newest first',
      description: 'While one is `held`, the Workspace pays nothing. At most 50 are returned.',
      answer: Success(Type.Array(Restore)),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
      example: { answer: success([restoreExample]) },
      handle: async ({ params }) => {
        const workspaceId = params.workspaceId as string;
        await assertWorkspace(reads, workspaceId);
        return success(await showRestores(reads, workspaceId));
      },
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: BASE,
      summary: 'Declare that the store was restored',
      description:
        'From now on the Workspace pays nothing, and its providers are asked what was ordered since the backup. The service declares most restores itself. Declare a restore that it cannot recognise before you start any worker. If one is already `held`, it takes the earlier time.',
      body: DeclareRestore,
      answer: Success(Restore),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Workspace does not exist' },
        { code: 'INVALID_REQUEST', when: '`since` is in the future' },
      ],
      example: {
        body: { since: '2026-11-15T02:00:00.000Z', note: 'Restored the snapshot of 2 a.m.' },
        answer: success(restoreExample),
      },
      handle: async ({ request, params, body }) => {
        const [by, { workspaceId }] = about(request, params);
        await assertWorkspace(reads, workspaceId);
        const now = realNow(deps);
        const since = parseInstant(body.since) ?? now;
        if (since > now) throw invalid('since', 'is in the future');
        const declaration = { cause: 'declared' as const, since, note: body.note ?? null, now };
        const { id } = await deps.database.transaction((tx) =>
          declareRestore({ tx, newId: deps.newId }, by, declaration),
        );
        return show({ workspaceId, restoreId: id } as Place);
      },
    }),
    operatorRoute({
      ...READ,
      method: 'GET',
      path: `${BASE}/{restoreId}`,
      summary: 'Read a restore',
      description:
        'Shows what was asked of each account, and the advances: what providers sent since the backup and the store does not know of.',
      answer: Success(Restore),
      refusals: [noRestore],
      example: { answer: success(restoreExample) },
      handle: ({ params }) => show(params as Place),
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: `${BASE}/{restoreId}/ask`,
      summary: 'Ask all accounts again',
      description: 'Useful after an account was connected. Nothing is recorded twice.',
      answer: Success(Restore),
      refusals: [noRestore, released],
      example: { answer: success(restoreExample) },
      handle: async ({ request, params }) => {
        const [by, place] = about(request, params);
        await askAgain(deps, by, place.restoreId);
        return show(place);
      },
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: `${BASE}/{restoreId}/checks/{connectionId}/override`,
      summary: 'Record why an account need not be asked',
      description:
        'For a provider that cannot list its transfers, or does not answer. Compare its website with the store first: what it sent and the store does not know is paid again. Who recorded what and when is in the audit log.',
      body: OverrideCheck,
      answer: Success(Restore),
      refusals: [noRestore, released],
      example: {
        body: { reason: 'Compared with PayPal’s activity: no payouts since the backup.' },
        answer: success(restoreExample),
      },
      handle: async ({ request, params, body }) => {
        const [by, place] = about(request, params);
        const { connectionId } = place;
        await overrideCheck(deps, by, place.restoreId, { connectionId, reason: body.reason });
        return show(place);
      },
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: `${BASE}/{restoreId}/transfers`,
      summary: 'Add transfers that a provider cannot list',
      description:
        'Reads them at the provider by its own ids and adopts what the store does not know. PayPal shows the id of each payout batch on its website. Ids that were added before are recorded once.',
      body: AddTransfers,
      answer: Success(AddedTransfers),
      refusals: [
        noRestore,
        released,
        { code: 'CONFLICT', reason: 'not_connected', when: 'the account is not connected' },
        { code: 'SERVICE_UNAVAILABLE', when: 'the provider does not answer' },
      ],
      example: {
        body: { connectionId: 'pcn_3vq8d1…', references: ['5UXD2E8A7EBQJ'] },
        answer: success([{ reference: '5UXD2E8A7EBQJ', result: 'recorded' }]),
      },
      handle: async ({ request, params, body }) => {
        const [by, { restoreId }] = about(request, params);
        return success(await addTransfers(deps, by, restoreId, body));
      },
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: `${BASE}/{restoreId}/release`,
      summary: 'Let the Workspace pay again',
      description:
        'Accepted once every account was asked or overridden. Payouts that were approved before the restore become smaller by what their payees have received since. A repeat changes nothing.',
      body: ReleaseRestore,
      answer: Success(Restore),
      refusals: [
        noRestore,
        {
          code: 'CONFLICT',
          reason: 'checks_open',
          when: 'an account was neither asked nor overridden',
        },
        {
          code: 'CONFLICT',
          reason: 'advances_unassigned',
          when: 'the payees of some transfers are not known, and `acceptUnassigned` is not set',
        },
      ],
      example: { body: {}, answer: success({ ...restoreExample, status: 'released' }) },
      handle: async ({ request, params, body }) => {
        const [by, place] = about(request, params);
        await releaseRestore(deps, by, place.restoreId, body.acceptUnassigned ?? false);
        return show(place);
      },
    }),
    operatorRoute({
      ...READ,
      method: 'GET',
      path: `${BASE}/{restoreId}/transfers`,
      summary: 'List the transfers that the store did not know of',
      description:
        'Each is an advance: later payouts to its payee are smaller by it. Newest first.',
      query: ListAdvances,
      answer: CursorList(PayoutAdvance),
      refusals: [noRestore],
      example: { answer: { success: true, data: [advanceExample], nextCursor: null } },
      handle: async ({ params, query }) => {
        const { workspaceId, restoreId } = params as Place;
        await getRestore(reads, workspaceId, restoreId);
        const page = toCursorPage(query, 'adv');
        const rows = await listAdvances(
          reads,
          workspaceId,
          restoreId,
          page.beforeId,
          page.limit + 1,
        );
        return pageOf(await withUses(reads, rows), page, toPayoutAdvance);
      },
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: `${ADVANCE}/assign`,
      summary: 'Record who received an advance',
      description:
        'For a transfer whose payee is not known, or was dismissed. Later payouts to this payee are smaller by it, whatever account they go to.',
      body: AssignAdvance,
      answer: Success(PayoutAdvance),
      refusals: [
        noAdvance,
        {
          code: 'INVALID_REQUEST',
          when: 'the payee does not belong to the Workspace and environment of the advance',
        },
      ],
      example: {
        body: {
          projectId: 'prj_01ka3m…',
          participantId: 'par_01ka3m…',
          reason: 'The recipient’s name at Wise.',
        },
        answer: success(advanceExample),
      },
      handle: async ({ request, params, body }) => {
        const [by, { advanceId }] = about(request, params);
        const { partnerId = null, projectId = null, participantId = null, reason } = body;
        const receiver = { partnerId, projectId, participantId };
        return shown(await changeAdvance(deps, by, advanceId, { receiver, reason }));
      },
    }),
    operatorRoute({
      ...WRITE,
      method: 'POST',
      path: `${ADVANCE}/dismiss`,
      summary: 'Record that an advance does not count',
      description:
        'For a transfer of something else, or one that came back. Later payouts are not smaller by it.',
      body: DismissAdvance,
      answer: Success(PayoutAdvance),
      refusals: [noAdvance],
      example: {
        body: { reason: 'Came back on 20 November.' },
        answer: success({ ...advanceExample, status: 'dismissed', leftMinor: '0' }),
      },
      handle: async ({ request, params, body: { reason } }) => {
        const [by, { advanceId }] = about(request, params);
        return shown(await changeAdvance(deps, by, advanceId, { receiver: null, reason }));
      },
    }),
  ];
}
