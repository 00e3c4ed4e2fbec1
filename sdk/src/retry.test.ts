import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRetryAfter, wait, waitBeforeRepeat } from './retry.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait before a repeat', () => {
  test('doubles from a quarter of a second up to eight, and half of it is chance', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 60].map((repeat) => waitBeforeRepeat(repeat, null, 0))).toEqual([
      125, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
    fc.assert(
      fc.property(fc.nat(100), chance, (repeat, random) => {
        const shortest = waitBeforeRepeat(repeat, null, 0);
        const ms = waitBeforeRepeat(repeat, null, random);
        expect(ms).toBeGreaterThanOrEqual(shortest);
        expect(ms).toBeLessThanOrEqual(2 * shortest);
      }),
    );
  });

  test('is never shorter than what the service asked for, nor much longer', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(1e6), chance, (repeat, asked, random) => {
        const ms = waitBeforeRepeat(repeat, asked, random);
        expect(ms).toBeGreaterThanOrEqual(asked);
        expect(ms).toBeLessThanOrEqual(asked + 125);
      }),
    );
  });
});

describe('Retry-After', () => {
  const NOW = Date.parse('2026-11-15T09:30:00Z');

  test.each<[string | null, number | null]>([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['Sun, 15 Nov 2026 09:30:05 GMT', 5_000],
    ['Sun, 15 Nov 2026 09:29:00 GMT', 0],
    ['Sunday, 15-Nov-26 09:30:05 GMT', 5_000],
    [null, null],
    ['', null],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['9999999999', 9_999_999_999_000],
  ])('%j is a wait of %j ms', (text, ms) => {
    expect(readRetryAfter(text, NOW)).toBe(ms);
  });
});

describe('waiting', () => {
  test('ends at once with what it was aborted with', async () => {
    const reason = new Error('enough');
    await expect(wait(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = wait(60_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
