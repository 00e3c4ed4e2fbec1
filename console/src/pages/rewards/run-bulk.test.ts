import { describe, expect, it } from 'vitest';
import { type BulkProgress, reportCsv, runBulk } from './run-bulk.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `rwd_${index}`);
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('doing the same to many rewards', () => {
  it('does each once, never more than four at a time', async () => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    const end = await runBulk({
      ids: names(23),
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
    const end = await runBulk({
      ids: names(5),
      work: async (id) => {
        if (id === 'rwd_1' || id === 'rwd_3') throw new Error(`${id} is voided.`);
      },
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    expect(end).toMatchObject({ done: 3, state: 'finished' });
    expect(end.failures).toEqual([
      { id: 'rwd_1', reason: 'rwd_1 is voided.' },
      { id: 'rwd_3', reason: 'rwd_3 is voided.' },
    ]);
  });

  it('stops when asked: what began is finished, the rest is named as not tried', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const end = await runBulk({
      ids: names(10),
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

  it('tells how far it is after every one', async () => {
    const told: BulkProgress[] = [];
    await runBulk({
      ids: names(3),
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

it('reports what failed and why, and what was not tried', () => {
  const csv = reportCsv({
    total: 2,
    done: 0,
    failures: [{ id: 'rwd_1', reason: 'Voided, "by hand".' }],
    untried: ['rwd_2'],
    state: 'stopped',
  });
  expect(csv.trimEnd().split('\r\n')).toEqual([
    '"id","outcome","reason"',
    '"rwd_1","failed","Voided, ""by hand""."',
    '"rwd_2","not tried",""',
  ]);
});
