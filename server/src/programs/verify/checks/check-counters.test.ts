import { expect, test } from 'vitest';
import { figure } from '../../../platform/figures/tally.ts';
import { compareFigures } from './check-counters.ts';

test('figures that add up to what is stored are equal, and none is as good as zero', () => {
  const recounted = [
    figure('par_1', '', 'x', 2n),
    figure('par_1', '', 'x', 3n),
    figure('par_1', '', 'y', 0n),
  ];
  expect(
    compareFigures([figure('par_1', '', 'x', 5n), figure('par_1', '', 'z', 0n)], recounted),
  ).toEqual([]);
});

test('a figure that differs, is missing, or should not be there is told', () => {
  const found = compareFigures(
    [figure('par_1', '', 'x', 4n), figure('par_1', '', 'z', 1n)],
    [figure('par_1', '', 'x', 5n), figure('par_1', '', 'y', 7n)],
  );
  expect(found.map(({ id, stored, expected }) => [id, stored, expected])).toEqual([
    ['par_1 x', '4', '5'],
    ['par_1 z', '1', '0'],
    ['par_1 y', '0', '7'],
  ]);
});
