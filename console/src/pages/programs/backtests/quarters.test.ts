import { expect, test } from 'vitest';
import { lastQuarter } from './quarters.ts';
import { sayPeriod } from './say-period.ts';

test.each([
  ['2026-11-19T01:00:00.000Z', '2026-07-01', '2026-10-01'],
  ['2026-01-01T00:00:00.000Z', '2025-10-01', '2026-01-01'],
  ['2026-03-31T23:59:59.999Z', '2025-10-01', '2026-01-01'],
])('before %s it lasts from %s to %s', (now, from, to) => {
  expect(lastQuarter(now)).toEqual({ from, to });
});

test('a period is named by its first and last day', () => {
  const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
  expect(sayPeriod(period)).toMatch(/1.*2026 to .*30.*2026$/);
});
