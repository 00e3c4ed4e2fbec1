import { recordAudit } from '../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { CsvPages } from '../../platform/http/routes/route.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { type Columns, openCsv } from './csv-file.ts';
import type { ExportDeps } from './export-deps.ts';

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
