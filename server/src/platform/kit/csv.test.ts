import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardCells, writeCsv } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-cmd', "'-cmd"],
  ['-1+1', "'-1+1"],
  ['\t=1', "'\t=1"],
  ['-250', '-250'],
  ['-2.50', '-2.50'],
  ['', ''],
])('%j stands in a spreadsheet as %j', (text, cell) => {
  expect(guardCells([[text]])).toEqual([[cell]]);
});

/** Strict RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    expect(text[at]).toBe('"');
    let cell = '';
    for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
      if (text[at] === '"') at += 1;
      cell += text[at];
    }
    row.push(cell);
    if (text[at + 1] === ',') {
      at += 2;
      continue;
    }
    expect(text.slice(at + 1, at + 3)).toBe('\r\n');
    at += 3;
    rows.push(row);
    row = [];
  }
  return rows;
}

test('whatever is written is read as it was', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', '""', '\r\n', ',', '",\n"'));
  const rows = fc.array(fc.array(cell, { minLength: 1 }));
  fc.assert(
    fc.property(rows, (table) => {
      expect(readCsv(writeCsv(table))).toEqual(table);
    }),
  );
});
