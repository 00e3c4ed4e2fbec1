import { expect, test } from 'vitest';
import { BUCKETS_MAX, perMinute, RateLimit } from './rate-limit.ts';

class TestClock {
  #ms = 0;
  nowMs = () => this.#ms;
  advance(ms: number): void {
    this.#ms += ms;
  }
}

test('a bucket that is full again is forgotten', () => {
  const clock = new TestClock();
  const limit = perMinute(clock, 'test', 60);
  for (let n = 0; n < 100; n += 1) limit.take(`key ${n}`);
  expect(limit.size).toBe(100);
  clock.advance(1_000);
  // Each call checks a few of the oldest.
  for (let n = 0; n < 100; n += 1) limit.take('another');
  expect(limit.size).toBe(1);
});

test('what is given back whole is forgotten', () => {
  const limit = perMinute(new TestClock(), 'test', 60);
  limit.take('key');
  limit.giveBack('key');
  expect(limit.size).toBe(0);
  limit.take('key');
  limit.take('key');
  limit.giveBack('key');
  expect(limit.size).toBe(1);
});

test('what is not full yet still counts, however many others there are', () => {
  const clock = new TestClock();
  const limit = new RateLimit(clock, 'test', 1 / 60, 1);
  expect(limit.take('key').allowed).toBe(true);
  clock.advance(59_000);
  for (let n = 0; n < 10; n += 1) limit.take(`other ${n}`);
  expect(limit.take('key').allowed).toBe(false);
});

test('there are no more buckets than there may be', () => {
  const limit = new RateLimit(new TestClock(), 'test', 1, 5);
  for (let n = 0; n < BUCKETS_MAX + 100; n += 1) limit.take(`key ${n}`);
  expect(limit.size).toBe(BUCKETS_MAX);
});
