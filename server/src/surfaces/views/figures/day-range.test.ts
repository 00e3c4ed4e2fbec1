import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../platform/kit/errors.ts';
import { DAYS_MAX, dayAfter, daysBetween } from './day-range.ts';

test.each([
  ['2026-11-15', '2026-11-15', ['2026-11-15']],
  ['2026-12-30', '2027-01-02', ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']],
  ['2028-02-28', '2028-03-01', ['2028-02-28', '2028-02-29', '2028-03-01']],
])('from %s to %s, both included', (from, to, days) => {
  expect(daysBetween(from, to)).toEqual(days);
});

test.each([
  ['2026-11-15', '2026-11-14', 'to'],
  ['2026-02-29', '2026-03-01', 'from'],
  ['2026-01-01', '2026-13-01', 'to'],
  ['2026-01-01', '2027-02-05', 'to'],
  ['1, 2026', '2026-01-01', 'from'],
])('from %s to %s is refused for its %s', (from, to, path) => {
  expect(() => daysBetween(from, to)).toThrow(AppError);
  try {
    daysBetween(from, to);
  } catch (error) {
    expect((error as AppError).details).toMatchObject([{ path }]);
  }
});

test('a range has every day once, in order, up to the longest', () => {
  const first = Date.parse('2000-01-01T00:00:00Z');
  const day = fc.integer({ min: 0, max: 40_000 });
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: DAYS_MAX - 1 }), (start, length) => {
      const toDay = (n: number) => new Date(first + n * 86_400_000).toISOString().slice(0, 10);
      const days = daysBetween(toDay(start), toDay(start + length));
      expect(days).toHaveLength(length + 1);
      expect(days.slice(1)).toEqual(days.slice(0, -1).map(dayAfter));
    }),
  );
});
