import { expect, test } from 'vitest';
import { compareSums } from './compare-sums.ts';

const of = (...sums: [string, string][]) =>
  sums.map(([currency, netAmountMinor]) => ({ currency, netAmountMinor }));

test('amounts of one currency are compared exactly, and rows without one have none', () => {
  const rows = [of(['USD', '9007199254740993']), of(), of(['USD', '-5'])];
  const read = compareSums(rows, (row) => row);
  expect(rows.map((row) => read?.(row))).toEqual([9007199254740993n, null, -5n]);
});

test('amounts in several currencies, or in none, have no order', () => {
  expect(compareSums([of(['USD', '1']), of(['EUR', '2'])], (row) => row)).toBeUndefined();
  expect(compareSums([of(['USD', '1'], ['EUR', '2'])], (row) => row)).toBeUndefined();
  expect(compareSums([of()], (row) => row)).toBeUndefined();
});
