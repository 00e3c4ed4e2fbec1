import { CsvPages } from '../../platform/http/routes/answers.ts';
import { type CursorPage, pageOf } from '../../platform/http/routes/paging.ts';
import { guardCells, writeCsv } from '../../platform/kit/csv.ts';

/** Header names, and the value of a row in each column; null leaves the cell empty. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | number | boolean | null>>;

export type Pages<R> = AsyncGenerator<readonly R[]>;

/** Rows per read: as many as make a page of a few hundred kilobytes. */
export const PAGE_ROWS = 500;

/** Reads the first page, and the others on demand. */
export async function openCsv<R>(
  fileName: string,
  columns: Columns<R>,
  pages: Pages<R>,
): Promise<CsvPages> {
  const first = await pages.next();
  return new CsvPages(fileName, writePages(columns, first.done ? [] : first.value, pages));
}

async function* writePages<R>(
  columns: Columns<R>,
  first: readonly R[],
  rest: Pages<R>,
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
): Pages<R> {
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await load(cursor);
    yield rows;
    if (next === null) return;
    cursor = next;
  }
}

/** Pages of a list whose response has a cursor. */
export function walkCursors<R>(
  load: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ readonly data: readonly R[]; readonly nextCursor: string | null }>,
): Pages<R> {
  return walkPages(async (cursor) => {
    const page = { limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }) };
    const { data, nextCursor } = await load(page);
    return { rows: data, next: nextCursor };
  });
}

/** Pages of a list that is ordered by id. */
export async function* walkIds<R extends { readonly id: string }>(
  load: (page: CursorPage) => Promise<R[]>,
): Pages<R> {
  for (let beforeId: string | null = null; ; ) {
    const page: CursorPage = { limit: PAGE_ROWS, beforeId };
    const { data, nextCursor } = pageOf(await load(page), page, (row) => row);
    yield data;
    const last = data.at(-1);
    if (nextCursor === null || !last) return;
    beforeId = last.id;
  }
}

/** Of a list that is returned as a whole. */
export async function* walkWhole<R>(list: Promise<readonly R[]>): Pages<R> {
  yield await list;
}
