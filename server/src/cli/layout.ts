/** Lines of `label  value`, the values under each other. */
export function layRecord(rows: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${toVisible(value)}\n`).join('');
}

/** A table with a line of titles; every column as wide as its widest cell. */
export function layTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return `${whenEmpty}\n`;
  const lines = [titles, ...rows.map((row) => row.map(toVisible))];
  const widths = titles.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** What others have named must not steer the terminal, nor break a line of a table. */
function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}
