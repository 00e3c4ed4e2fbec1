import { CsvPages } from '../../platform/http/routes/route.ts';
import { guardCells, writeCsv } from '../../platform/kit/csv.ts';

/** What stands in the head, and what a row has there; null leaves the cell empty. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | number | boolean | null>>;

/** Rows that are read so many at a time: as many as make a page of some hundred kilobytes. */
export const PAGE_ROWS = 500;

/** Reads the first page, and leaves the others for when they are asked for. */
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
  // Ends `rest`, too, when nobody asks any more.
  for await (const rows of rest) yield write(rows);
}

/** Pages of a list that tells with each how to go on. */
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
