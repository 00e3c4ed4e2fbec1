import Type from 'typebox';
import type { Columns } from './csv-file.ts';

const ABOUT =
  'Every row, as CSV (RFC 4180, UTF-8, with a head), sent while it is read. A cell that a spreadsheet would take for a formula begins with an apostrophe. A connection that breaks off before the end means that rows are missing. Every export is in the audit log.';

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
