import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, foldSame } from './diff-lines.ts';

const text = fc
  .array(fc.constantFrom('a: 1', 'b: 2', 'c:', '  d: x', ''), { maxLength: 12 })
  .map((lines) => lines.join('\n'));

test('what is not added is the text before, what is not removed the text after', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string) =>
        lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(without('added').join('\n')).toBe(before);
      expect(without('removed').join('\n')).toBe(after);
      const changed = lines.some(({ kind }) => kind !== 'same');
      expect(changed).toBe(before !== after);
    }),
  );
});

test('one line that differs is one that is removed and one that is added', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: 'c' },
  ]);
});

test('folding keeps everything that differs, and counts what it leaves out', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const hunks = foldSame(lines, 1);
      const shown = hunks.flatMap((hunk) => hunk.lines);
      const differs = ({ kind }: { kind: string }) => kind !== 'same';
      expect(shown.filter(differs)).toEqual(lines.filter(differs));
      for (const { start, lines: own } of hunks) {
        expect(own).toEqual(lines.slice(start, start + own.length));
      }
    }),
  );
  const lines = diffLines('1\n2\n3\n4\n5\n6', '1\n2\n3\n4\n5\nx');
  expect(foldSame(lines, 1)).toMatchObject([{ skipped: 4, start: 4 }]);
  expect(foldSame(diffLines('a', 'a'))).toEqual([]);
});
