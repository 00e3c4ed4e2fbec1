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

/** Minor units as banks write amounts: 1234 with exponent 2 is 12.34. */
export function formatMajor(amountMinor: bigint, exponent: number): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = String(amountMinor < 0n ? -amountMinor : amountMinor).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
