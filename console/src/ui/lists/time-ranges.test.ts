import { expect, test } from 'vitest';
import { isTimeRange, saySpan, spanOf } from './time-ranges.ts';

const now = new Date(2026, 2, 2, 15, 30);
const local = (...parts: [number, number, number, number?, number?, number?, number?]) =>
  new Date(parts[0], parts[1] - 1, ...(parts.slice(2) as [number])).toISOString();

test.each([
  ['today', { from: local(2026, 3, 2) }],
  ['7d', { from: local(2026, 2, 24) }],
  ['30d', { from: local(2026, 2, 1) }],
  ['90d', { from: local(2025, 12, 3) }],
  ['month', { from: local(2026, 3, 1) }],
  ['before_30d', { to: local(2026, 1, 30, 23, 59, 59, 999) }],
] as const)('%s begins and ends with days of the reader', (range, span) => {
  expect(spanOf(range, now)).toEqual(span);
});

test('the last 30 days and what is more than 30 days ago leave out one day and never overlap', () => {
  const { to = '' } = spanOf('before_30d', now);
  const { from = '' } = spanOf('30d', now);
  expect(Date.parse(from) - Date.parse(to)).toBeGreaterThan(0);
});

test('only the proposed ranges are ranges', () => {
  expect(isTimeRange('30d')).toBe(true);
  expect([undefined, '31d', 'constructor', ''].some(isTimeRange)).toBe(false);
});

test('whole days are said without the time', () => {
  const from = local(2026, 11, 1);
  const to = local(2026, 11, 15, 23, 59);
  expect(saySpan({ from, to })).not.toMatch(/\d:\d\d/);
  expect(saySpan({ from })).toMatch(/^from /);
  expect(saySpan({ to: local(2026, 11, 15, 14, 5) })).toMatch(/^until .*:05/);
  expect(saySpan({ from: 'rubbish' })).toBe('from rubbish');
  expect(saySpan({})).toBe('');
});
