/** Downloads a file that was created in the browser. */
export function saveText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A cell that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180; a cell that looks like a formula gets a leading apostrophe. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) =>
    `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}
