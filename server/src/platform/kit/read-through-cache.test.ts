import { expect, test } from 'vitest';
import { ReadThroughCache } from './read-through-cache.ts';

interface Row {
  readonly id: string;
  readonly read: number;
}

function open() {
  let nowMs = 1_000;
  let reads = 0;
  const cache = new ReadThroughCache<Row>({ nowMs: () => nowMs }, 100);
  return {
    cache,
    advance: (ms: number) => {
      nowMs += ms;
    },
    read: (key: string) =>
      cache.get(key, async () => {
        reads += 1;
        return key === 'nobody' ? undefined : { id: key, read: reads };
      }),
    count: () => reads,
  };
}

test('what was read is remembered until its time is up', async () => {
  const { read, advance } = open();
  expect(await read('a')).toEqual({ id: 'a', read: 1 });
  advance(99);
  expect(await read('a')).toEqual({ id: 'a', read: 1 });
  advance(1);
  expect(await read('a')).toEqual({ id: 'a', read: 2 });
});

test('what is not there is asked for again', async () => {
  const { read, count } = open();
  expect([await read('nobody'), await read('nobody'), count()]).toEqual([undefined, undefined, 2]);
});

test('a change forgets what it concerns, and nothing else', async () => {
  const { cache, read } = open();
  await read('a');
  await read('b');
  cache.forget(({ id }) => id === 'a');
  expect(await read('a')).toMatchObject({ read: 3 });
  expect(await read('b')).toMatchObject({ read: 2 });
});

test('what was read before a change is not remembered after it', async () => {
  const { cache, read } = open();
  let answer = (_row: Row) => {};
  const slow = cache.get('a', () => new Promise<Row>((resolve) => (answer = resolve)));
  cache.forget(() => true);
  answer({ id: 'a', read: -1 });
  expect(await slow).toMatchObject({ read: -1 });
  expect(await read('a')).toMatchObject({ read: 1 });
});
