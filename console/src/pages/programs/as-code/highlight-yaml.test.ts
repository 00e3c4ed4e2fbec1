import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlightLine } from './highlight-yaml.ts';

const kinds = (line: string) => highlightLine(line).map(({ text, kind }) => [text, kind]);

test.each([
  ['# $schema=x', [['# $schema=x', 'comment']]],
  [
    '    holdDays: 14',
    [
      ['    ', null],
      ['holdDays', 'key'],
      [':', null],
      [' 14', 'value'],
    ],
  ],
  [
    'name: Invite a friend # ours',
    [
      ['name', 'key'],
      [':', null],
      [' Invite a friend', 'text'],
      [' # ours', 'comment'],
    ],
  ],
  [
    '  - from: "0"',
    [
      ['  - ', null],
      ['from', 'key'],
      [':', null],
      [' "0"', 'text'],
    ],
  ],
])('%s', (line, pieces) => expect(kinds(line)).toEqual(pieces));

test('whatever a line is, its pieces are the line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = text.replace(/[\n\r\u2028\u2029]/g, '');
      const pieces = highlightLine(line);
      expect(pieces.map((piece) => piece.text).join('')).toBe(line);
    }),
  );
});
