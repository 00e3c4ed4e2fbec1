import { afterEach, expect, test, vi } from 'vitest';
import { CommitUnknownError } from './driver.ts';
import { type GatherOptions, gather } from './gather.ts';

/** Notes what runs together, and answers when it is told to. */
function open(options: Partial<GatherOptions<number, number>> = {}) {
  const batches: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const call = gather<number, number>({
    run: async (calls) => {
      batches.push(calls);
      await new Promise<void>((resolve) => ends.push(resolve));
      return calls.map((one) => one * 10);
    },
    sizeMax: 3,
    atOnce: 1,
    waitingMax: 100,
    waitMs: 1_000,
    ...options,
  });
  return { call, batches, end: () => ends.shift()?.() };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('what is called at once runs together, and each gets its own answer', async () => {
  const { call, batches, end } = open();
  const answers = Promise.all([call(1), call(2), call(3)]);
  await turn();
  expect(batches).toEqual([[1, 2, 3]]);
  end();
  expect(await answers).toEqual([10, 20, 30]);
});

test('a call that comes while others run is not part of them: it runs afterwards', async () => {
  const { call, batches, end } = open();
  const first = call(1);
  await turn();
  const later = [call(2), call(3), call(4), call(5)];
  await turn();
  expect(batches).toEqual([[1]]);
  end();
  expect(await first).toBe(10);
  await turn();
  expect(batches).toEqual([[1], [2, 3, 4]]);
  end();
  await turn();
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  end();
  expect(await Promise.all(later)).toEqual([20, 30, 40, 50]);
});

test('one that fails does not fail the others', async () => {
  const call = gather<number, number>({
    run: async (calls) => {
      if (calls.includes(2)) throw new Error('two');
      return calls;
    },
    sizeMax: 10,
    atOnce: 1,
    waitingMax: 10,
    waitMs: 1_000,
  });
  const outcomes = await Promise.allSettled([call(1), call(2), call(3)]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('two') },
    { status: 'fulfilled', value: 3 },
  ]);
});

test.each([
  ['is away', Object.assign(new Error(), { code: 'ECONNREFUSED' })],
  ['may have saved it', new CommitUnknownError('The connection broke.')],
])('while the database %s, all fail, and nothing is tried again', async (_, failure) => {
  const run = vi.fn(async () => Promise.reject(failure));
  const call = gather<number, number>({
    run,
    sizeMax: 10,
    atOnce: 1,
    waitingMax: 10,
    waitMs: 1_000,
  });
  const outcomes = await Promise.allSettled([call(1), call(2)]);
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason)).toEqual([
    failure,
    failure,
  ]);
  expect(run).toHaveBeenCalledTimes(1);
});

test('an answer that takes longer keeps nobody else waiting', async () => {
  let finish = (_answer: number): void => undefined;
  const slow = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const call = gather<number, number>({
    run: async (calls) => calls.map((one) => (one === 1 ? slow : one)),
    sizeMax: 10,
    atOnce: 1,
    waitingMax: 10,
    waitMs: 1_000,
  });
  const first = call(1);
  expect(await call(2)).toBe(2);
  expect(await call(3)).toBe(3);
  finish(7);
  expect(await first).toBe(7);
});

test('too many that wait are refused', async () => {
  const { call, end } = open({ waitingMax: 2 });
  const taken = [call(1), call(2)];
  await expect(call(3)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await turn();
  end();
  expect(await Promise.all(taken)).toEqual([10, 20]);
});

afterEach(() => {
  vi.useRealTimers();
});

test('nobody waits without end for a database that does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { call, batches, end } = open();
  const first = call(1);
  await turn();
  const late = expect(call(2)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await turn();
  vi.advanceTimersByTime(999);
  const last = call(3);
  vi.advanceTimersByTime(500);
  await late;
  end();
  expect(await first).toBe(10);
  await turn();
  expect(batches).toEqual([[1], [3]]);
  end();
  expect(await last).toBe(30);
});
