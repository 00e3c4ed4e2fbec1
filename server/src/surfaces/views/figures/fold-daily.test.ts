import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../../../platform/figures/tally.ts';
import { foldDaily, sumOf } from './fold-daily.ts';

test('figures are sorted by subject and day, and by name', () => {
  const folded = foldDaily([
    figure('prg_1', '2026-11-15', 'signups', 3),
    figure('prg_1', '2026-11-15', 'net:USD', 500),
    figure('prg_1', '2026-11-16', 'signups', 1),
    figure('prg_2', '2026-11-15', 'signups', 7),
    figure('prg_2', '2026-11-17', 'signups', 0),
  ]);
  expect([...folded.keys()]).toEqual(['prg_1', 'prg_2']);
  expect([...(folded.get('prg_2')?.keys() ?? [])]).toEqual(['2026-11-15']);
  const day = folded.get('prg_1')?.get('2026-11-15');
  expect([day?.count('signups'), day?.count('clicks')]).toEqual([3, 0]);
  expect([...(day?.under('net') ?? [])]).toEqual([['USD', 500n]]);
});

test('amounts come in the order of their currencies, without what is zero', () => {
  const folded = foldDaily([
    figure('prg_1', '2026-11-15', 'net:USD', 1),
    figure('prg_1', '2026-11-15', 'net:EUR', 2),
    figure('prg_1', '2026-11-15', 'net:JPY', 0),
    figure('prg_1', '2026-11-15', 'network:GBP', 2),
  ]);
  const numbers = sumOf(folded.get('prg_1')?.values() ?? []);
  expect([...numbers.under('net')]).toEqual([
    ['EUR', 2n],
    ['USD', 1n],
  ]);
});

test('several days add up: currencies in their order, days of which nothing is known left out', () => {
  const days = foldDaily([
    figure('prg_1', '2026-11-15', 'net:EUR', 2),
    figure('prg_1', '2026-11-15', 'net:JPY', 1),
    figure('prg_1', '2026-11-15', 'net:USD', 5),
    figure('prg_1', '2026-11-16', 'net:CHF', 3),
    figure('prg_1', '2026-11-16', 'net:USD', -5),
  ]).get('prg_1');
  const sum = sumOf(['2026-11-14', '2026-11-15', '2026-11-16'].map((day) => days?.get(day)));
  // An amount that was earned and refunded adds up to zero.
  expect([...sum.under('net')]).toEqual([
    ['CHF', 3n],
    ['EUR', 2n],
    ['JPY', 1n],
  ]);
});

test('the sum of days is the sum of what was put in', () => {
  const one = fc.record({
    subject: fc.constantFrom('a', 'b'),
    day: fc.constantFrom('2026-11-15', '2026-11-16', '2026-11-17'),
    value: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  });
  fc.assert(
    fc.property(fc.array(one), (put) => {
      const folded = foldDaily(
        put.map(({ subject, day, value }) => figure(subject, day, 'net:USD', value)),
      );
      const all = sumOf([...folded.values()].flatMap((days) => [...days.values()]));
      const expected = put.reduce((sum, { value }) => sum + value, 0n);
      expect(all.under('net').get('USD') ?? 0n).toBe(expected);
    }),
  );
});
