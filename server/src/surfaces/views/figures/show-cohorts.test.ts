import { expect, test } from 'vitest';
import { mondaysUntil } from './day-range.ts';
import { DayNumbers } from './fold-daily.ts';
import { toCohorts } from './show-cohorts.ts';

const numbers = (counts: Record<string, number>) => {
  const day = new DayNumbers();
  for (const [name, value] of Object.entries(counts)) day.add(name, BigInt(value));
  return day;
};

test.each([
  ['2026-11-09', 'a Monday'],
  ['2026-11-12', 'a Thursday'],
  ['2026-11-15', 'a Sunday'],
])('weeks start on Monday: %s is %s of the last one', (to) => {
  expect(mondaysUntil(to, 3)).toEqual(['2026-10-26', '2026-11-02', '2026-11-09']);
});

test('a cohort adds up its days, and who bought by each week, until the last', () => {
  const days = new Map([
    ['2026-11-01', numbers({ referrals: 99, 'week:0': 99 })],
    ['2026-11-02', numbers({ referrals: 5, 'week:0': 1, 'week:1': 2, 'week:7': 1 })],
    ['2026-11-08', numbers({ referrals: 2, 'week:1': 1 })],
    ['2026-11-09', numbers({ referrals: 3, 'week:0': 2 })],
    ['2026-11-16', numbers({ referrals: 99 })],
  ]);
  const cohorts = toCohorts(
    ['2026-11-02', '2026-11-09'],
    (day) => days.get(day) ?? new DayNumbers(),
  );
  expect(cohorts).toEqual([
    { week: '2026-11-02', referrals: 7, bought: [1, 4] },
    { week: '2026-11-09', referrals: 3, bought: [2] },
  ]);
});
