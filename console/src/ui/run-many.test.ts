import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { type ManyProgress, runMany } from './run-many.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `rwd_${index}`);
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('doing the same to many', () => {
  it('does each once, never more than four at a time', async () => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    const end = await runMany({
      items: names(23),
      work: async (id) => {
        seen.push(id);
        running += 1;
        most = Math.max(most, running);
        await tick();
        running -= 1;
      },
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    expect(seen.toSorted()).toEqual(names(23).toSorted());
    expect(most).toBe(4);
    expect(end).toMatchObject({
      total: 23,
      done: 23,
      failures: [],
      untried: [],
      state: 'finished',
    });
  });

  it('goes on past what fails, and says which and why', async () => {
    const end = await runMany({
      items: names(5),
      work: async (id) => {
        if (id === 'rwd_1' || id === 'rwd_3') throw new Error(`${id} is voided.`);
      },
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    expect(end).toMatchObject({ done: 3, state: 'finished' });
    expect(end.failures).toEqual([
      { item: 'rwd_1', reason: 'rwd_1 is voided.' },
      { item: 'rwd_3', reason: 'rwd_3 is voided.' },
    ]);
  });

  it('stops when asked: what began is finished, the rest is named as not tried', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const end = await runMany({
      items: names(10),
      work: async (id) => {
        seen.push(id);
        if (seen.length === 4) stop.abort();
        await tick();
      },
      onProgress: () => {},
      signal: stop.signal,
    });
    expect(seen).toEqual(names(4));
    expect(end).toMatchObject({ done: 4, state: 'stopped', untried: names(10).slice(4) });
  });

  it.each([0, 401])(
    'stops by itself at status %i, and hands back what it was at',
    async (status) => {
      const seen: string[] = [];
      const end = await runMany({
        items: names(10),
        work: async (id) => {
          seen.push(id);
          await tick();
          if (id !== 'rwd_0') throw new ApiError('Not now.', { status, code: 'X' });
        },
        onProgress: () => {},
        signal: new AbortController().signal,
        concurrency: 2,
      });
      expect(seen).toHaveLength(3);
      expect(end).toMatchObject({ done: 1, failures: [], state: 'stopped', trouble: { status } });
      expect(end.untried.toSorted()).toEqual(names(10).slice(1));
    },
  );

  it('tells how far it is after every one', async () => {
    const told: ManyProgress<string>[] = [];
    await runMany({
      items: names(3),
      work: tick,
      onProgress: (progress) => told.push(progress),
      signal: new AbortController().signal,
      concurrency: 1,
    });
    expect(told.map(({ done, state }) => [done, state])).toEqual([
      [1, 'running'],
      [2, 'running'],
      [3, 'running'],
      [3, 'finished'],
    ]);
  });
});
