import { expect, test } from 'vitest';
import { lastQuarter } from './last-quarter.ts';

test.each([
  ['2026-11-19T01:00:00.000Z', '2026-07-01', '2026-10-01'],
  ['2026-01-01T00:00:00.000Z', '2025-10-01', '2026-01-01'],
  ['2026-03-31T23:59:59.999Z', '2025-10-01', '2026-01-01'],
])('before %s it lasts from %s to %s', (now, from, to) => {
  expect(lastQuarter(now)).toEqual({ from, to });
});
