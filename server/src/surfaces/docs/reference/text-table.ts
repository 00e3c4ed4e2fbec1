/** A table in Markdown, its columns padded so that it can be read as it is. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((_, at) =>
    Math.max(3, ...lines.map((line) => [...(line[at] ?? '')].length)),
  );
  const write = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => pad(cells[at] ?? '', width)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  const [head = [], ...body] = lines;
  return [write(head), write(rule), ...body.map(write)].join('\n');
}

const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - [...text].length));

export const code = (text: string): string => `\`${text}\``;

/** Stands under the title of a page that nobody should change by hand. */
export const MADE = '<!-- Made from the code: npm run openapi -->';
