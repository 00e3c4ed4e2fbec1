import { recordAudit } from '../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { CsvPages } from '../../platform/http/routes/route.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { type Columns, openCsv } from './csv-file.ts';
import type { ExportDeps } from './export-deps.ts';

/** What is exported, of which Project or Workspace. */
export interface ExportedList<R> {
  readonly list: string;
  readonly ownerId: string;
  readonly columns: Columns<R>;
  readonly pages: AsyncGenerator<readonly R[]>;
  /** What the list was narrowed by. */
  readonly filters: object;
}

/** Opens a list as a file, and writes down who did. Ends as the list does. */
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

/** People are named by their own ids: the log keeps that one was asked for, not who. */
function withoutNames(filters: object): Record<string, unknown> {
  const { externalId, ...others } = filters as { readonly externalId?: string };
  return { ...others, ...(externalId === undefined ? {} : { isOfOnePerson: true }) };
}
