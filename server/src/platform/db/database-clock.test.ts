import { afterEach, expect, test, vi } from 'vitest';
import { toInstant } from '../kit/instant.ts';
import { openDatabaseClock } from './database-clock.ts';
import type { Queryable } from './driver.ts';

const START_MS = Date.parse('2026-11-15T09:30:00.000Z');

afterEach(() => vi.restoreAllMocks());

/** A database with a time and a response delay set by the test. */
function fakeDatabase() {
  let passedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
  vi.spyOn(Date, 'now').mockReturnValue(0);
  const database = { nowMs: START_MS, halfTripMs: 0 };
  const pass = (ms: number) => {
    passedMs += ms;
    database.nowMs += ms;
  };
  const reads: Queryable = {
    async query<R>() {
      pass(database.halfTripMs);
      const rows = [{ now: toInstant(database.nowMs) }];
      pass(database.halfTripMs);
      return rows as R[];
    },
  };
  return { database, reads, pass };
}

test('it tells the time of the database, not of the machine, and goes on with it', async () => {
  const { database, reads, pass } = fakeDatabase();
  database.halfTripMs = 400;
  const clock = await openDatabaseClock(reads);
  expect(clock.nowMs()).toBe(database.nowMs);
  pass(5_000);
  expect(clock.nowMs()).toBe(database.nowMs);
});

test('it follows a step of the database’s time when it looks again', async () => {
  const { database, reads } = fakeDatabase();
  const clock = await openDatabaseClock(reads);
  database.nowMs -= 3_600_000;
  expect(clock.nowMs()).toBe(START_MS);
  await clock.sync();
  expect(clock.nowMs()).toBe(START_MS - 3_600_000);
});
