import { expect, test } from 'vitest';
import { parseCsv, readText } from './parse-csv.ts';

test('fields may be quoted, hold separators, quotes and line ends', () => {
  expect(parseCsv('a,b\r\n"x, ""y""","1\n2"\r\n')).toEqual({
    header: ['a', 'b'],
    rows: [['x, "y"', '1\n2']],
    lines: [2],
  });
});

test.each([
  ['a;b\n1;2', ';'],
  ['a\tb\n1\t2', 'tab'],
  ['a,b\r1,2', 'old line ends'],
  ['\uFEFFa,b\n\n1,2\n,\n', 'a byte order mark and empty lines'],
])('%j is read (%s)', (text) => {
  expect(parseCsv(text)).toMatchObject({ header: ['a', 'b'], rows: [['1', '2']] });
});

test('a field that is empty at the end of a line stays a field', () => {
  expect(parseCsv('a,b\n1,\n').rows).toEqual([['1', '']]);
});

test('a quote that is never closed is told of', () => {
  expect(() => parseCsv('a\n"x')).toThrow('never closed');
});

test('text after a closing quote is told of with its line', () => {
  expect(() => parseCsv('a,b\n1,2\n"x"y","z"\n')).toThrow('Line 3 has text after a closing quote');
});

test('line ends may be mixed', () => {
  expect(parseCsv('a,b\r\n1,2\n3,4\r"5\r\n6",7')).toEqual({
    header: ['a', 'b'],
    rows: [
      ['1', '2'],
      ['3', '4'],
      ['5\n6', '7'],
    ],
    lines: [2, 3, 4],
  });
});

test('nothing gives nothing', () => {
  expect(parseCsv('')).toEqual({ header: [], rows: [], lines: [] });
});

test.each(['\n', '\r\n', '\r'])('a row knows its line, whatever stands before (%j)', (end) => {
  const text = ['a,b', '1,2', '', '"x', 'y",3', ',', '4,5'].join(end);
  expect(parseCsv(text).lines).toEqual([2, 4, 7]);
});

test('a line with more than the header names is told of, empty cells at its end are not', () => {
  expect(() => parseCsv('a,b\n1,2\nx,Doe, Jane\n')).toThrow('Line 3 has more cells');
  expect(parseCsv('a,b\n1,2,,\n').rows).toEqual([['1', '2', '', '']]);
});

test('a file is read as UTF-8 or UTF-16, and nothing is guessed at', async () => {
  expect(await readText(new Blob(['Zoë']))).toBe('Zoë');
  const wide = Uint8Array.from([0xff, 0xfe, 0x5a, 0x00]);
  expect(await readText(new Blob([wide]))).toBe('Z');
  const latin = Uint8Array.from([0x5a, 0x6f, 0xeb]);
  await expect(readText(new Blob([latin]))).rejects.toThrow('not in UTF-8');
});
