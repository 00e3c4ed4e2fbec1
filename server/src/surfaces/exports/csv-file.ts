import { CsvPages } from '../../platform/http/routes/route.ts';
import { guardCells, writeCsv } from '../../platform/kit/csv.ts';

/** Header names, and the value of a row in each column; null leaves the cell empty. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | number | boolean | null>>;

/** Rows per read: as many as make a page of a few hundred kilobytes. */
export const PAGE_ROWS = 500;

/** Reads the first page, and the others on demand. */
export async function openCsv<R>(
  fileName: string,
  columns: Columns<R>,
  pages: AsyncGenerator<readonly R[]>,
): Promise<CsvPages> {
  const first = await pages.next();
  return new CsvPages(fileName, writePages(columns, first.done ? [] : first.value, pages));
}

async function* writePages<R>(
  columns: Columns<R>,
  first: readonly R[],
  rest: AsyncGenerator<readonly R[]>,
): AsyncGenerator<string> {
  const cells = Object.values(columns);
  const write = (rows: readonly R[]) =>
    writeCsv(guardCells(rows.map((row) => cells.map((cell) => String(cell(row) ?? '')))));
  yield writeCsv([Object.keys(columns)]) + write(first);
  // Also closes `rest` when the consumer stops.
  for await (const rows of rest) yield write(rows);
}

/** Pages of a list that returns a cursor with each. */
export async function* walkPages<R>(
  load: (cursor: string | undefined) => Promise<{ rows: readonly R[]; next: string | null }>,
): AsyncGenerator<readonly R[]> {
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await load(cursor);
    yield rows;
    if (next === null) return;
    cursor = next;
  }
}
