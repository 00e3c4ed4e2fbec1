import Type from 'typebox';
import { Success, success } from '../../platform/http/routes/answers.ts';
import {
  CursorList,
  cursorQuery,
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
  pageOf,
  toCursorPage,
} from '../../platform/http/routes/paging.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { type BacktestsDeps, cancelBacktest, createBacktest, OPEN_MAX } from './backtests.ts';
import { openDifferences } from './differences-csv.ts';
import { backtestExample, differenceExample, withResultExample } from './examples.ts';
import { presentBacktest, presentDifferences, presentWithResult } from './present.ts';
import { KEPT_DAYS } from './purge-backtests.ts';
import { DIFFERENCES_MAX } from './run-backtest.ts';
import {
  Backtest,
  BacktestWithResult,
  CreateBacktest,
  Difference,
  ListBacktests,
} from './schema.ts';
import { findBacktest, listBacktestRows, listDifferenceRows } from './store.ts';

const TAG = 'Back-tests';
const READ = ['programs:read'] as const;
/** Who is named earns something: explanations name the referrers of Events. */
const READ_PEOPLE = ['programs:read', 'referrals:read'] as const;
const noBacktest = { code: 'NOT_FOUND', when: 'the back-test does not exist' } as const;

export function backtestRoutes(deps: BacktestsDeps): Route[] {
  const { reads } = deps.database;
  const find = async (projectId: string, id: string) => {
    const row = await findBacktest(reads, projectId, id);
    if (!row) throw notFound('back-test');
    return row;
  };
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/backtests',
      tag: TAG,
      summary: 'Try other terms and policies on the past',
      description: `Replays the facts of the Project with a definition in force from \`from\` to \`to\`, and compares what its Events of that time gave. Nothing is written but the result, which is kept for ${KEPT_DAYS} days. The work is queued: one back-test of a Project runs at a time. Read it until its status is \`done\`, \`failed\` or \`cancelled\`.`,
      permissions: READ,
      body: CreateBacktest,
      status: 202,
      answer: Success(Backtest),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program does not exist' },
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: `${OPEN_MAX} back-tests of the Project wait or run`,
        },
      ],
      example: {
        body: {
          programId: 'prg_01ka3m…',
          from: '2026-07-01T00:00:00.000Z',
          to: '2026-10-01T00:00:00.000Z',
          definition:
            'apiVersion: goodword/v1\nkind: Program\nattributionPolicy: { windowDays: 30 }\n',
        },
        answer: success(backtestExample),
      },
      handle: async ({ request, body }) => {
        const created = await createBacktest(deps, request, body);
        deps.onQueued();
        return success(created);
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/backtests',
      tag: TAG,
      summary: 'List back-tests, newest first',
      permissions: READ,
      query: ListBacktests,
      answer: CursorList(Backtest),
      example: { answer: { ...success([backtestExample]), nextCursor: null } },
      handle: async ({ project, query }) => {
        const page = toCursorPage(query, 'btt');
        const rows = await listBacktestRows(reads, project.id, page.beforeId, page.limit + 1);
        return pageOf(rows, page, presentBacktest);
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/backtests/{backtestId}',
      tag: TAG,
      summary: 'Read a back-test: its progress, then its result',
      permissions: READ_PEOPLE,
      answer: Success(BacktestWithResult),
      refusals: [noBacktest],
      example: { answer: success(withResultExample) },
      handle: async ({ project, params }) =>
        success(
          await presentWithResult(reads, await find(project.id, params.backtestId as string)),
        ),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/backtests/{backtestId}/cancel',
      tag: TAG,
      summary: 'Cancel a back-test',
      description: 'One that has ended stays as it is. A repeat changes nothing.',
      permissions: READ,
      answer: Success(Backtest),
      refusals: [noBacktest],
      example: { body: {}, answer: success({ ...backtestExample, status: 'cancelled' as const }) },
      handle: async ({ request, params }) =>
        success(presentBacktest(await cancelBacktest(deps, request, params.backtestId as string))),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/backtests/{backtestId}/differences',
      tag: TAG,
      summary: 'List the Events that would have been worth something else, oldest first',
      description: `With the explanation of what was decided and of what would have been. At most ${DIFFERENCES_MAX.toLocaleString('en')} are listed; the totals count all of them. Differences about erased people are deleted with them.`,
      permissions: READ_PEOPLE,
      query: Type.Object(cursorQuery),
      answer: CursorList(Difference),
      refusals: [noBacktest],
      example: { answer: { ...success([differenceExample]), nextCursor: null } },
      handle: async ({ project, params, query }) => {
        const { id } = await find(project.id, params.backtestId as string);
        const limit = query.limit ?? LIMIT_DEFAULT;
        const list = `differences/${id}` as const;
        const after =
          query.cursor === undefined ? 0 : decodeNumberCursor(list, project.id, query.cursor);
        const rows = await listDifferenceRows(reads, project.id, id, after, limit + 1);
        const shown = rows.slice(0, limit);
        const last = shown.at(-1);
        const hasMore = rows.length > limit && last !== undefined;
        return {
          ...success(await presentDifferences(reads, project.id, shown)),
          nextCursor: hasMore ? encodeNumberCursor(list, project.id, Number(last.number)) : null,
        };
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/backtests/{backtestId}/export',
      tag: TAG,
      summary: 'Export the differences of a back-test as CSV',
      description:
        'One row for each Event, rule and beneficiary whose worth differs. Amounts are in minor units. A cell that a spreadsheet would read as a formula starts with an apostrophe.',
      permissions: READ_PEOPLE,
      isCsv: true,
      answer: Type.String(),
      refusals: [noBacktest],
      example: { answer: '"event_id","occurred_at","rule_id"…\r\n' },
      handle: async ({ project, params }) => {
        const { id } = await find(project.id, params.backtestId as string);
        return openDifferences(reads, project.id, id);
      },
    }),
  ];
}
