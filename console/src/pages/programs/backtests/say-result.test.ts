import { expect, test } from 'vitest';
import { sayCompared, sayNotReproduced } from './say-result.ts';

test('events are counted in words, one like several', () => {
  expect(sayCompared(5, 4)).toBe(
    '5 events were decided again. 4 would have had a different result.',
  );
  expect(sayCompared(1, 0)).toBe(
    '1 event was decided again. None would have had a different result.',
  );
});

test('one event that could not be decided again is one', () => {
  expect(sayNotReproduced(1)).toMatch(/^1 event could not .* It counts/);
  expect(sayNotReproduced(2)).toMatch(/^2 events could not .* They count/);
});
