import { FileError } from '../api/errors.ts';

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Where each row begins in the file, beginning with 1: lines without anything count, too. */
  readonly lines: readonly number[];
}

/**
 * A table as spreadsheets write it (RFC 4180): quoted fields, quotes doubled, any line end, a byte
 * order mark or none; separated by comma, semicolon or tab, whichever the first line has most of.
 * Lines without anything in them are left out. Throws a `FileError` on a quote that is never closed,
 * and on a line with more in it than the header has names for: a part of it would be lost.
 */
export function parseCsv(text: string): CsvTable {
  const plain = text.replace(/^\uFEFF/, '');
  const separator = guessSeparator(plain);
  const records: { cells: string[]; at: number }[] = [];
  let cells: string[] = [];
  let line = 1;
  let begin = 1;
  let field = '';
  let isQuoted = false;
  const endField = () => {
    cells.push(field);
    field = '';
  };
  const endLine = () => {
    endField();
    if (cells.some((one) => one.trim() !== '')) records.push({ cells, at: begin });
    cells = [];
    begin = line;
  };
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain[at] as string;
    if (char === '\n' || (char === '\r' && plain[at + 1] !== '\n')) line += 1;
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
  if (isQuoted) throw new FileError('A quote in the file is never closed.');
  if (field !== '' || cells.length > 0) endLine();
  const [head, ...rest] = records;
  const width = head?.cells.length ?? 0;
  const long = rest.find((record) => record.cells.slice(width).some((cell) => cell.trim() !== ''));
  if (long) {
    throw new FileError(
      `Line ${long.at} has more cells than the header: a value with “${separator}” in it must stand in quotes.`,
    );
  }
  return {
    header: head?.cells.map((name) => name.trim()) ?? [],
    rows: rest.map((record) => record.cells),
    lines: rest.map((record) => record.at),
  };
}

function guessSeparator(text: string): string {
  const [first = ''] = text.split(/\r|\n/, 1);
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The text of a file, which must be UTF-8, or UTF-16 with a mark. Throws a `FileError`. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(
      'The file is not in UTF-8, so letters such as é would be lost. Save it as “CSV UTF-8”.',
    );
  }
}
