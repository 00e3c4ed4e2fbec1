import { expect, test } from 'vitest';
import { takeTurns } from './take-turns.ts';

test('every list has its turn until it ends, and keeps its order', () => {
  expect(takeTurns([[1, 2, 3], [], [4], [5, 6]])).toEqual([1, 4, 5, 2, 6, 3]);
  expect(takeTurns([])).toEqual([]);
});
