import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askTogether } from './ask-together.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const calls: (readonly string[])[] = [];
beforeEach(() => void calls.splice(0));
const load = async (ids: readonly string[]) => {
  calls.push(ids);
  return new Map(ids.filter((id) => id !== 'nobody').map((id) => [id, id.toUpperCase()]));
};

test('those who are asked for within a moment are in one call, each once', async () => {
  const ask = askTogether(load, { most: 100, waitMs: 20 });
  const answers = Promise.all([ask('a'), ask('b'), ask('a'), ask('nobody')]);
  await vi.advanceTimersByTimeAsync(20);
  expect(await answers).toEqual(['A', 'B', 'A', null]);
  expect(calls).toEqual([['a', 'b', 'nobody']]);
});

test('no call has more than it may, and the next moment has a call of its own', async () => {
  const ask = askTogether(load, { most: 2, waitMs: 20 });
  const first = Promise.all(['a', 'b', 'c'].map((id) => ask(id)));
  await vi.advanceTimersByTimeAsync(20);
  const second = ask('d');
  await vi.advanceTimersByTimeAsync(20);
  expect([await first, await second]).toEqual([['A', 'B', 'C'], 'D']);
  expect(calls).toEqual([['a', 'b'], ['c'], ['d']]);
});

test('an id that nobody waits for any more is not in the call', async () => {
  const ask = askTogether(load, { most: 100, waitMs: 20 });
  const gone = new AbortController();
  const answers = Promise.allSettled([
    ask('a', gone.signal),
    ask('b', gone.signal),
    ask('b'),
    ask('c'),
  ]);
  gone.abort(new Error('scrolled past'));
  await vi.advanceTimersByTimeAsync(20);
  expect(
    (await answers).map((one) => (one.status === 'fulfilled' ? one.value : one.status)),
  ).toEqual(['rejected', 'rejected', 'B', 'C']);
  expect(calls).toEqual([['b', 'c']]);
});

test('there is no call if nobody waits any more, and the next to ask has one', async () => {
  const ask = askTogether(load, { most: 100, waitMs: 20 });
  const gone = new AbortController();
  const left = ask('a', gone.signal).catch(() => 'left');
  gone.abort(new Error('scrolled past'));
  await vi.advanceTimersByTimeAsync(20);
  expect([await left, calls]).toEqual(['left', []]);
  const next = ask('a');
  await vi.advanceTimersByTimeAsync(20);
  expect([await next, calls]).toEqual(['A', [['a']]]);
});

test('a failure fails those of its call, and not the next', async () => {
  let fails = true;
  const ask = askTogether(
    async (ids) => {
      if (fails) throw new Error('down');
      return load(ids);
    },
    { most: 100, waitMs: 20 },
  );
  const failed = Promise.allSettled([ask('a'), ask('b')]);
  await vi.advanceTimersByTimeAsync(20);
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  const next = ask('a');
  await vi.advanceTimersByTimeAsync(20);
  expect(await next).toBe('A');
});
