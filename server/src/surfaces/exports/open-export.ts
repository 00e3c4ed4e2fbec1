import Type from 'typebox';
import { recordAudit } from '../../accounts/workspaces/audit/record-audit.ts';
import type { PartnerDeps } from '../../domain/partners/partner-deps.ts';
import type { RewardDeps } from '../../domain/rewards/reward-deps.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { CsvPages } from '../../platform/http/routes/route.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { type Columns, openCsv } from './csv-file.ts';

/** The exported list, and its project or workspace. */
export interface ExportedList<R> {
  readonly list: string;
  readonly ownerId: string;
  readonly columns: Columns<R>;
  readonly pages: AsyncGenerator<readonly R[]>;
  /** The filters of the list. */
  readonly filters: object;
}

/** Opens a list as a file, and records it in the audit log. Throws what the list throws. */
export async function openExport<R>(
  deps: Pick<ExportDeps, 'database' | 'clock' | 'newId'>,
  request: WriteRequest,
  { list, ownerId, columns, pages, filters }: ExportedList<R>,
): Promise<CsvPages> {
  const now = toInstant(deps.clock.nowMs());
  const file = await openCsv(`${list}-${ownerId}-${now.slice(0, 10)}.csv`, columns, pages);
  await deps.database.transaction(async (tx) =>
    recordAudit({ tx, now, newId: deps.newId }, request, {
      action: 'list.export',
      targetType: 'list',
      targetId: list,
      changes: withoutNames(filters),
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

const ABOUT =
  'Streams all rows as CSV (RFC 4180, UTF-8, with a header row). A cell that a spreadsheet would read as a formula starts with an apostrophe. If the connection breaks before the end, rows are missing. Every export is recorded in the audit log.';

/** The common part of all export routes. */
export function exported<R>(list: string, what: string, columns: Columns<R>) {
  const head = Object.keys(columns).map((name) => `"${name}"`);
  return {
    method: 'GET' as const,
    path: `/v1/exports/${list}`,
    tag: 'Exports',
    summary: `Export ${what} as CSV`,
    description: ABOUT,
    isCsv: true,
    answer: Type.String(),
    example: { answer: `${head.slice(0, 4).join(',')}…\r\n` },
  };
}

/** The dependencies of the exported lists. */
export interface ExportDeps extends RewardDeps, PartnerDeps {}
