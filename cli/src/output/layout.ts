/** Lines of `label  value`, with aligned values. */
export function layRecord(rows: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(0, ...rows.map(([label]) => widthOf(label)));
  return rows
    .map(([label, value]) => `${pad(label, width)}  ${toVisible(value)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

/** Where a table is shown. */
export interface Sheet {
  /** The maximum line width; null if it is not limited. */
  readonly width: number | null;
  readonly hasColour: boolean;
  /** The columns that are aligned to the right. */
  readonly isNumber?: readonly boolean[];
}

const PLAIN: Sheet = { width: null, hasColour: false };

/**
 * A table with a header line; every column is as wide as its widest cell, numbers are aligned to
 * the right.
 */
export function layTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
  sheet: Sheet = PLAIN,
): string {
  if (rows.length === 0) return `${whenEmpty}\n`;
  const cells = rows.map((row) => row.map(toVisible));
  const widths = titles.map((title, column) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const { isNumber = [] } = sheet;
  const [head = '', ...lines] = [titles, ...cells].map((line) =>
    cut(
      line
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return isNumber[column] ? padLeft(cell, width) : pad(cell, width);
        })
        .join('  ')
        .trimEnd(),
      sheet.width,
    ),
  );
  const shown = sheet.hasColour ? `\u001b[1m${head}\u001b[0m` : head;
  return [shown, ...lines].map((line) => `${line}\n`).join('');
}

/** Text from others must not control the terminal, nor break a line of a table. */
export function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

const widthOf = (text: string): number => [...text].length;
const pad = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text));
const padLeft = (text: string, width: number): string => ' '.repeat(width - widthOf(text)) + text;

function cut(line: string, width: number | null): string {
  const letters = [...line];
  if (width === null || letters.length <= width) return line;
  return `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
