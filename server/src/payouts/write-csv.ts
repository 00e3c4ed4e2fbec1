/** A cell that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180, every cell in quotes. What looks like a formula gets an apostrophe before it. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => cells.map(writeCell).join(',');
  return rows.map((cells) => `${line(cells)}\r\n`).join('');
}

function writeCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
