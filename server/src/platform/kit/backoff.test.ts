import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('each wait is twice the one before, up to the limit', () => {
  expect([1, 2, 3, 4, 5].map((tries) => backoffMs(tries, 100, 500))).toEqual([
    100, 200, 400, 500, 500,
  ]);
});

test('without a limit it goes on doubling', () => {
  expect(backoffMs(11, 1)).toBe(1_024);
});

test('a huge number of tries is the limit, and none counts as one', () => {
  expect([backoffMs(5_000, 100, 500), backoffMs(0, 100, 500)]).toEqual([500, 100]);
});
