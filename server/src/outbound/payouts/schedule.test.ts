import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../platform/kit/instant.ts';
import { REFUSALS_MAX, SILENT_MS, waitAfter } from './schedule.ts';

test('calls are a minute apart at first, then twice as long each time, and never over an hour', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100, 5000].map(waitAfter);
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((minutes) => minutes * MINUTE_MS));
});

test('a certain refusal is tried ten times, and a silent provider is waited for a day', () => {
  expect(REFUSALS_MAX).toBe(10);
  expect(SILENT_MS).toBe(DAY_MS);
});
