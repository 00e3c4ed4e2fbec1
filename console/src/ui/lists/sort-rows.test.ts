import { expect, test } from 'vitest';
import { sortRows } from './sort-rows.ts';

const sort = (values: readonly (string | number | bigint | null)[], direction: 'asc' | 'desc') =>
  sortRows(values, (value) => value, direction);

test('words are sorted as people read them, and numbers in them by their value', () => {
  expect(sort(['key 10', 'Éva', 'key 9', 'eve', 'Adam'], 'asc')).toEqual([
    'Adam',
    'Éva',
    'eve',
    'key 9',
    'key 10',
  ]);
});

test('amounts beyond 2^53 keep their order', () => {
  expect(sort([9007199254740993n, 9007199254740992n, -1n], 'desc')).toEqual([
    9007199254740993n,
    9007199254740992n,
    -1n,
  ]);
});

test('rows without a value come last in both directions', () => {
  expect(sort([null, 2, null, 1], 'asc')).toEqual([1, 2, null, null]);
  expect(sort([null, 2, null, 1], 'desc')).toEqual([2, 1, null, null]);
});

test('equal rows keep their order in both directions, and the list itself is not changed', () => {
  const rows = [
    { id: 'a', state: 'on' },
    { id: 'b', state: 'off' },
    { id: 'c', state: 'on' },
  ];
  const ids = (direction: 'asc' | 'desc') =>
    sortRows(rows, ({ state }) => state, direction).map(({ id }) => id);
  expect(ids('asc')).toEqual(['b', 'a', 'c']);
  expect(ids('desc')).toEqual(['a', 'c', 'b']);
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
