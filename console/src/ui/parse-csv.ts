import Papa from 'papaparse';
import { FileError } from '../api/errors.ts';

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The line of the file on which each row begins, from 1; empty lines count. */
  readonly lines: readonly number[];
}

/**
 * A table as spreadsheets write it (RFC 4180): quoted fields, quotes doubled, any line end, a byte
 * order mark or none; separated by comma, semicolon or tab, whichever the first line has most of.
 * Lines without anything in them are left out. Throws a `FileError` on quotes that do not match,
 * and on a line with more in it than the header has names for: a part of it would be lost.
 */
export function parseCsv(text: string): CsvTable {
  // The library takes one kind of line end for the whole file.
  const plain = text.replace(/\r\n?/g, '\n');
  const separator = guessSeparator(plain);
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter: separator, newline: '\n' });
  const records = withLines(data);
  const isOpen = errors.some(({ code }) => code === 'MissingQuotes');
  if (isOpen) throw new FileError('A quote in the file is never closed.');
  const broken = errors.find(({ code }) => code === 'InvalidQuotes');
  if (broken) {
    throw new FileError(
      `Line ${records[broken.row ?? 0]?.at} has text after a closing quote. Double the quotes inside a value, and separate values by “${separator}” as the header does.`,
    );
  }
  const [head, ...rest] = records.filter(({ cells }) => cells.some(isFilled));
  const width = head?.cells.length ?? 0;
  const long = rest.find(({ cells }) => cells.slice(width).some(isFilled));
  if (long) {
    throw new FileError(
      `Line ${long.at} has more cells than the header: a value that contains “${separator}” must be in quotes.`,
    );
  }
  return {
    header: head?.cells.map((name) => name.trim()) ?? [],
    rows: rest.map(({ cells }) => cells),
    lines: rest.map(({ at }) => at),
  };
}

const isFilled = (cell: string): boolean => cell.trim() !== '';

/** Each record with the line it begins in. A quoted cell may go over several lines. */
function withLines(data: readonly string[][]): { cells: string[]; at: number }[] {
  let next = 1;
  return data.map((cells) => {
    const at = next;
    next += cells.join().split('\n').length;
    return { cells, at };
  });
}

function guessSeparator(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const count = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * The text of a file, which must be UTF-8, or UTF-16 with a byte order mark. Throws a `FileError`.
 */
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
