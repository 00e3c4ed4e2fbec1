import { expect, test } from 'vitest';
import { sayFailure, saySuccess } from './say-health.ts';

test.each([
  [0, 0, 'Nothing sent yet'],
  [100, 100, 'All accepted'],
  [100, 0, 'None accepted'],
  [1_000, 999, '99% accepted'],
  [1_000, 1, '1% accepted'],
  [3, 2, '67% accepted'],
])('of %i attempts %i: %s', (attempts, succeeded, words) => {
  expect(saySuccess({ attempts, succeeded })).toBe(words);
});

test('a failure is its status, or why there was no response', () => {
  expect(sayFailure({ responseStatus: 503, failure: null })).toBe('Last failure: 503');
  expect(
    sayFailure({ responseStatus: null, failure: { reason: 'timed_out', message: 'No answer.' } }),
  ).toBe('Last failure: timed out');
});
