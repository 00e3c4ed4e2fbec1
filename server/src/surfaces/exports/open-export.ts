import Type, { type Static, type TObject } from 'typebox';
import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import type { PartnerDeps } from '../../domain/partners/partner-deps.ts';
import type { RewardDeps } from '../../domain/rewards/queries.ts';
import type { Permission } from '../../platform/http/access/permissions.ts';
import type { ProjectRef, WriteRequest } from '../../platform/http/access/principal.ts';
import type { CsvPages } from '../../platform/http/routes/answers.ts';
import { projectOperatorRoute, projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../platform/http/routes/route.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { type Columns, openCsv, type Pages } from './csv-file.ts';

/** The dependencies of the exported lists. */
export interface ExportDeps extends RewardDeps, PartnerDeps {}

const ABOUT =
  'Streams all rows as CSV (RFC 4180, UTF-8, with a header row). A cell that a spreadsheet would read as a formula starts with an apostrophe. If the connection breaks before the end, rows are missing. Every export is recorded in the audit log.';

interface ExportedList<Q extends TObject, R> {
  /** The name in the path, the file name and the audit log. */
  readonly list: string;
  readonly what: string;
  readonly columns: Columns<R>;
  /** The list's query, without the paging parameters. */
  readonly query?: Q;
  /** The part of the query that the audit log records (default: all of it). */
  readonly filters?: (query: Static<Q>) => object;
  readonly refusals?: readonly Refusal[];
}

function describe<R>({ list, what, columns, query, refusals = [] }: ExportedList<TObject, R>) {
  const head = Object.keys(columns).map((name) => `"${name}"`);
  return {
    method: 'GET' as const,
    path: `/v1/exports/${list}`,
    tag: 'Exports',
    summary: `Export ${what} as CSV`,
    description: ABOUT,
    isCsv: true,
    query: query ?? Type.Object({}),
    answer: Type.String(),
    refusals,
    example: { answer: `${head.slice(0, 4).join(',')}…\r\n` },
  };
}

/** The export of a project's list; without permissions only for operators. */
export function projectExport<Q extends TObject, R>(
  deps: ExportDeps,
  spec: ExportedList<Q, R> & {
    readonly permissions: readonly Permission[] | null;
    readonly pages: (project: ProjectRef, query: Static<Q>) => Pages<R>;
  },
): Route {
  const route = {
    ...describe(spec as unknown as ExportedList<TObject, R>),
    handle: ({ project, request, query }: ProjectCall) =>
      openExport(deps, request, spec, {
        ownerId: project.id,
        query: query as Static<Q>,
        pages: spec.pages(project, query as Static<Q>),
      }),
  };
  return spec.permissions === null
    ? projectOperatorRoute(route)
    : projectRoute({ ...route, permissions: spec.permissions });
}

interface ProjectCall {
  readonly project: ProjectRef;
  readonly request: WriteRequest;
  readonly query: object;
}

/** The export of a list of the workspace in its query, where its audit entry belongs. */
export function workspaceExport<Q extends TObject, R>(
  deps: ExportDeps,
  spec: ExportedList<Q, R> & {
    readonly permission?: Permission;
    /** The owner in the file name (default: the workspace). */
    readonly ownerId?: (query: Static<Q>) => string | undefined;
    readonly pages: (query: Static<Q>) => Pages<R>;
  },
): Route {
  return operatorRoute({
    about: 'query',
    ...(spec.permission === undefined ? {} : { permission: spec.permission }),
    ...describe(spec as unknown as ExportedList<TObject, R>),
    refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
    handle: ({ request, query: asked }) => {
      const query = asked as Static<Q>;
      const { workspaceId } = asked as { workspaceId: string };
      const ownerId = spec.ownerId?.(query) ?? workspaceId;
      const pages = spec.pages(query);
      return openExport(deps, { ...request, workspaceId }, spec, { ownerId, query, pages });
    },
  });
}

/** Opens a list as a file, and records it in the audit log. Throws what the list throws. */
async function openExport<Q extends TObject, R>(
  deps: Pick<ExportDeps, 'database' | 'clock' | 'newId'>,
  request: WriteRequest,
  { list, columns, query: schema, filters }: ExportedList<Q, R>,
  asked: { readonly ownerId: string; readonly query: Static<Q>; readonly pages: Pages<R> },
): Promise<CsvPages> {
  const now = toInstant(deps.clock.nowMs());
  const name = `${list}-${asked.ownerId}-${now.slice(0, 10)}.csv`;
  const file = await openCsv(name, columns, asked.pages);
  const recorded = filters ? filters(asked.query) : schema ? (asked.query as object) : {};
  await deps.database.transaction(async (tx) =>
    recordAudit({ tx, now, newId: deps.newId }, request, {
      action: 'list.export',
      targetType: 'list',
      targetId: list,
      changes: withoutNames(recorded),
    }),
  );
  return file;
}

/**
 * Participants are identified by their own ids: the log records that there was a filter, not whom
 * it named.
 */
function withoutNames(filters: object): Record<string, unknown> {
  const { externalId, ...others } = filters as { readonly externalId?: string };
  return { ...others, ...(externalId === undefined ? {} : { isOfOnePerson: true }) };
}
