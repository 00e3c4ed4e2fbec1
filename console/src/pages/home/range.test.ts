import { expect, test } from 'vitest';
import { lastDays, readRange } from './range.ts';

const today = new Date('2026-03-02T23:59:00Z');

test('the last seven days end today and begin six days ago, across months', () => {
  expect(lastDays(7, today)).toEqual({ from: '2026-02-24', to: '2026-03-02' });
});

test.each([
  [{}, '2026-02-01', '2026-03-02', 30],
  [{ days: '90' }, '2025-12-03', '2026-03-02', 90],
  [{ days: '31' }, '2026-02-01', '2026-03-02', 30],
  [{ from: '2026-01-05', to: '2026-01-31' }, '2026-01-05', '2026-01-31', null],
  [{ from: '2026-02-05', to: '2026-01-31' }, '2026-02-01', '2026-03-02', 30],
  [{ from: 'x', to: '2026-01-31', days: '7' }, '2026-02-24', '2026-03-02', 7],
])('%j is read as %s to %s', (search, from, to, days) => {
  expect(readRange(search, today)).toEqual({ from, to, days });
});
