/** A cell that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A cell that a spreadsheet takes for a number, whatever it begins with. */
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;

/** RFC 4180, every cell quoted; for programs. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => cells.map(writeCell).join(',');
  return rows.map((cells) => `${line(cells)}\r\n`).join('');
}

/** For spreadsheets: cells that look like a formula are prefixed with an apostrophe. */
export function guardCells(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((cells) => cells.map(guard));
}

function guard(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function writeCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
