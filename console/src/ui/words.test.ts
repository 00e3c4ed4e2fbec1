import { expect, test } from 'vitest';
import { countOf, join } from './words.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j is said as %j', (parts, said) => {
  expect(join(parts)).toBe(said);
});

test('one is one, and all else are several', () => {
  expect([0, 1, 2].map((count) => countOf(count, 'person', 'people'))).toEqual([
    '0 people',
    '1 person',
    '2 people',
  ]);
});
