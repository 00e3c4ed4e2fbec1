export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * A table as spreadsheets write it (RFC 4180): quoted fields, quotes doubled, any line end, a byte
 * order mark or none; separated by comma, semicolon or tab, whichever the first line has most of.
 * Lines without anything in them are left out. Throws on a quote that is never closed.
 */
export function parseCsv(text: string): CsvTable {
  const plain = text.replace(/^\uFEFF/, '');
  const separator = guessSeparator(plain);
  const lines: string[][] = [];
  let line: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    line.push(field);
    field = '';
  };
  const endLine = () => {
    endField();
    if (line.some((one) => one.trim() !== '')) lines.push(line);
    line = [];
  };
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain[at] as string;
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (plain[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && field === '') isQuoted = true;
    else if (char === separator) endField();
    else if (char === '\n') endLine();
    else if (char === '\r') {
      if (plain[at + 1] !== '\n') endLine();
    } else field += char;
  }
  if (isQuoted) throw new Error('A quote in the file is never closed.');
  if (field !== '' || line.length > 0) endLine();
  const [header = [], ...rows] = lines;
  return { header: header.map((name) => name.trim()), rows };
}

function guessSeparator(text: string): string {
  const [first = ''] = text.split(/\r|\n/, 1);
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
