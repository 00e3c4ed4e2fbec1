import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, laterOf, toInstant } from '../../platform/kit/instant.ts';
import { AHEAD_MAX_MS, decideClock } from './decide-clock.ts';

const START = '2026-11-15T09:30:00.000Z';
const at = (ms: number) => addMs(START, ms);

test('the offset is what makes it the asked time now', () => {
  expect(decideClock(at(DAY_MS), { now: START, realNow: START })).toEqual({ offsetMs: DAY_MS });
  const later = { now: at(DAY_MS + HOUR_MS), realNow: at(HOUR_MS) };
  expect(decideClock(at(3 * DAY_MS), later)).toEqual({ offsetMs: 3 * DAY_MS - HOUR_MS });
});

test('the very time it is can be asked for, a millisecond before it cannot (D-CLOCK-1)', () => {
  const time = { now: at(DAY_MS), realNow: START };
  expect(decideClock(at(DAY_MS), time)).toEqual({ offsetMs: DAY_MS });
  expect(decideClock(at(DAY_MS - 1), time)).toMatchObject({
    refused: { code: 'INVALID_REQUEST', details: [{ path: 'now' }] },
  });
});

test('ten years ahead of the real time is as far as it goes, however far it is already', () => {
  const time = { now: at(AHEAD_MAX_MS - DAY_MS), realNow: START };
  expect(decideClock(at(AHEAD_MAX_MS), time)).toEqual({ offsetMs: AHEAD_MAX_MS });
  expect(decideClock(at(AHEAD_MAX_MS + 1), time)).toMatchObject({
    refused: { code: 'INVALID_REQUEST', details: [{ path: 'now' }] },
  });
});

test('whatever is asked and however processes’ clocks differ, time never goes back', () => {
  const step = fc.record({
    passesMs: fc.integer({ min: -HOUR_MS, max: DAY_MS }),
    askedMs: fc.integer({ min: -DAY_MS, max: 400 * DAY_MS }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let realMs = Date.parse(START);
      let offsetMs = 0;
      let last = START;
      for (const { passesMs, askedMs } of steps) {
        realMs += passesMs;
        const realNow = toInstant(realMs);
        const now = laterOf(toInstant(realMs + offsetMs), last);
        expect(now >= last).toBe(true);
        last = now;
        const asked = addMs(now, askedMs);
        const decided = decideClock(asked, { now, realNow });
        expect('refused' in decided).toBe(askedMs < 0 || asked > addMs(realNow, AHEAD_MAX_MS));
        if ('refused' in decided) continue;
        expect(decided.offsetMs).toBeGreaterThanOrEqual(offsetMs);
        expect(toInstant(realMs + decided.offsetMs)).toBe(asked);
        offsetMs = decided.offsetMs;
        last = asked;
      }
    }),
  );
});
