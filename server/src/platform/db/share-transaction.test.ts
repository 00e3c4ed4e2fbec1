import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from './share-transaction.ts';

const statement = fc.record({ text: fc.constantFrom('a', 'b', 'c', 'd') });
const parts = fc.array(fc.array(statement, { maxLength: 6 }), { maxLength: 5 });

test('every statement is in one group with its like, and each part keeps its order', () => {
  fc.assert(
    fc.property(parts, (asked) => {
      const groups = inOrder(asked);
      expect(groups.flat().length).toBe(asked.flat().length);
      for (const group of groups) {
        expect(new Set(group.map(({ text }) => text)).size).toBe(1);
        // Of a part, one statement at a time.
        for (const part of asked) {
          expect(group.filter((one) => part.includes(one)).length).toBeLessThanOrEqual(1);
        }
      }
      for (const part of asked) {
        expect(groups.flatMap((group) => group.filter((one) => part.includes(one)))).toEqual(part);
      }
    }),
  );
});

test('parts that do the same share every statement', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      (texts, count) => {
        const asked = Array.from({ length: count }, () => texts.map((text) => ({ text })));
        expect(inOrder(asked).map((group) => group.length)).toEqual(texts.map(() => count));
      },
    ),
  );
});

test('one that does more in between waits for nobody, and nobody goes ahead of it', () => {
  const asked = [['a', 'z'], ['a', 'y', 'z'], ['z']].map((texts) =>
    texts.map((text) => ({ text })),
  );
  expect(inOrder(asked).map((group) => group.map(({ text }) => text).join(''))).toEqual([
    'aa',
    'y',
    'zzz',
  ]);
});
