import Type from 'typebox';
import type { Columns } from './csv-file.ts';

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
