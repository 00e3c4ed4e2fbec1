import { describe, expect, test } from 'vitest';
import { clear, EMPTY_TAIL, pause, resume, type Tail, take, waitBefore } from './tail.ts';

const start: Tail<number> = EMPTY_TAIL;

describe('the live tail', () => {
  test('shows the newest first and keeps no more than it may', () => {
    const tail = take(take(start, [1, 2], 3), [3, 4, 5], 3);
    expect(tail).toEqual({ rows: [5, 4, 3], held: null, dropped: 2 });
  });

  test('stands still while paused, and then shows all that came, in order', () => {
    const paused = take(take(pause(take(start, [1], 10)), [2], 10), [3, 4], 10);
    expect(paused.rows).toEqual([1]);
    expect(paused.held).toEqual([4, 3, 2]);
    expect(resume(paused, 10)).toEqual({ rows: [4, 3, 2, 1], held: null, dropped: 0 });
  });

  test('holds no more than it may while paused, and counts what had to go', () => {
    const paused = take(pause(take(start, [1], 2)), [2, 3, 4], 2);
    expect(paused).toEqual({ rows: [1], held: [4, 3], dropped: 1 });
    expect(resume(paused, 2)).toEqual({ rows: [4, 3], held: null, dropped: 2 });
  });

  test('pausing or going on twice is the same as once', () => {
    const paused = pause(take(start, [1], 5));
    expect(pause(take(paused, [2], 5)).held).toEqual([2]);
    expect(resume(resume(paused, 5), 5).rows).toEqual([1]);
  });

  test('is empty when cleared, and stays paused if it was', () => {
    expect(clear(take(pause(start), [1], 5))).toEqual({ rows: [], held: [], dropped: 0 });
    expect(clear(take(start, [1], 5)).held).toBeNull();
  });

  test('waits longer after each failure, at most half a minute', () => {
    expect([0, 1, 2, 10].map(waitBefore)).toEqual([1_000, 2_000, 4_000, 30_000]);
  });
});
