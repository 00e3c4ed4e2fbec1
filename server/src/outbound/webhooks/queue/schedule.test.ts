import { expect, test } from 'vitest';
import { HOUR_MS, toMs } from '../../../platform/kit/instant.ts';
import { ATTEMPTS_MAX, nextAttemptAt, restAfterPoll, SCHEDULE_MS } from './schedule.ts';

const START = '2026-11-15T09:30:00.123Z';

test.each([
  [1, 30],
  [2, 60],
  [3, 120],
  [4, 240],
  [5, 480],
  [6, 960],
  [7, 1_920],
  [8, 3_600],
  [9, 3_600],
  [40, 3_600],
  [79, 3_600],
])('after attempt %i the wait is %i s, from the failure on (D-WH-4)', (attempts, seconds) => {
  const next = nextAttemptAt(attempts, START);
  expect(toMs(next ?? '') - toMs(START)).toBe(seconds * 1_000);
});

test('the 80th attempt is the last', () => {
  expect(nextAttemptAt(80, START)).toBeNull();
  expect(nextAttemptAt(81, START)).toBeNull();
});

test('80 attempts, 7 doubling waits and 72 hours: 73.06 hours in all', () => {
  const waits: number[] = [];
  let at = START;
  for (;;) {
    const next = nextAttemptAt(waits.length + 1, at);
    if (next === null) break;
    waits.push(toMs(next) - toMs(at));
    at = next;
  }
  expect(waits.length + 1).toBe(ATTEMPTS_MAX);
  expect(waits.filter((wait) => wait === HOUR_MS)).toHaveLength(72);
  expect(waits.filter((wait) => wait < HOUR_MS)).toHaveLength(7);
  expect(toMs(at) - toMs(START)).toBe(263_010_000);
  expect((toMs(at) - toMs(START)) / HOUR_MS).toBeCloseTo(73.06, 2);
  expect(SCHEDULE_MS).toBe(toMs(at) - toMs(START));
});

test.each([
  { what: 'a quick one', tookMs: 5, restMs: 100 },
  { what: 'one over a great backlog', tookMs: 300, restMs: 6_000 },
  { what: 'one that waited for a database that was restarted', tookMs: 8_000, restMs: 10_000 },
  { what: 'one in which the process was frozen for hours', tookMs: 7_200_000, restMs: 10_000 },
])('after $what nobody polls for $restMs ms', ({ tookMs, restMs }) => {
  expect(restAfterPoll(tookMs)).toBe(restMs);
});
