import { expect, test } from 'vitest';
import type { Row } from './driver.ts';
import { shareReads } from './share-reads.ts';

const TEXT = 'select name from people where project_id = $1 and id = $2::text';

/** Answers every call with its own parameters, and notes how many statements that took. */
function open(isDistributed = false) {
  const asked: (readonly unknown[])[] = [];
  const query = async (_text: string, params: readonly unknown[] = []): Promise<Row[]> => {
    asked.push(params);
    if (!Array.isArray(params[0])) return [{ name: params.join(' ') }];
    const [calls, projects, ids] = params as [number[], string[], string[]];
    return calls.map((call) => ({ 'of call': call, name: `${projects[call]} ${ids[call]}` }));
  };
  const reads = shareReads({
    reads: { query: query as never },
    isDistributed: () => isDistributed,
  });
  return { read: (...params: string[]) => reads.query(TEXT, params), asked };
}

const nameOf = (text: string) => [{ name: text }];

test('reads at once are one statement, and each gets its own rows', async () => {
  const { read, asked } = open();
  const rows = await Promise.all([read('a', '1'), read('b', '1'), read('a', '2')]);
  expect(rows).toEqual([nameOf('a 1'), nameOf('b 1'), nameOf('a 2')]);
  expect(asked).toHaveLength(1);
});

test('the same read many times is made once', async () => {
  const { read, asked } = open();
  const rows = await Promise.all([read('a', '1'), read('a', '1')]);
  expect(rows).toEqual([nameOf('a 1'), nameOf('a 1')]);
  expect(asked).toEqual([['a', '1']]);
});

test('a read after another is made again: what is saved in between is seen', async () => {
  const { read, asked } = open();
  await read('a', '1');
  await read('a', '1');
  expect(asked).toHaveLength(2);
});

test('in a distributed store each is made alone, because it has one shard', async () => {
  const { read, asked } = open(true);
  await Promise.all([read('a', '1'), read('b', '1')]);
  expect(asked).toEqual([
    ['a', '1'],
    ['b', '1'],
  ]);
});
