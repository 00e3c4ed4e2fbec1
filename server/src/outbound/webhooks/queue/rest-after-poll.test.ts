import { expect, test } from 'vitest';
import { restAfterPoll } from './schedule.ts';

test.each([
  { what: 'a quick one', tookMs: 5, restMs: 100 },
  { what: 'one over a great backlog', tookMs: 300, restMs: 6_000 },
  { what: 'one that waited for a database that was restarted', tookMs: 8_000, restMs: 10_000 },
  { what: 'one in which the process was frozen for hours', tookMs: 7_200_000, restMs: 10_000 },
])('after $what nobody polls for $restMs ms', ({ tookMs, restMs }) => {
  expect(restAfterPoll(tookMs)).toBe(restMs);
});
