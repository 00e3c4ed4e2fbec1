import { describe, expect, test } from 'vitest';
import { Goodword } from './goodword.ts';

/** A client of a service that answers these pages, one after another. */
function open(pages: readonly object[]) {
  const asked: string[] = [];
  const client = new Goodword({
    url: 'https://refer.example.com/goodword',
    apiKey: 'key',
    projectId: 'p',
    fetch: async (url) => {
      const { pathname, searchParams } = new URL(String(url));
      searchParams.delete('projectId');
      asked.push(`${pathname.replace('/goodword/v1', '')} ${searchParams}`);
      return Response.json({ success: true, ...pages[asked.length - 1] });
    },
  });
  return { client, asked };
}

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe('a list', () => {
  test('goes on by its cursor, past pages that have nothing of what was asked for', async () => {
    const { client, asked } = open([
      { data: [1], nextCursor: 'a', nextOffset: '50' },
      { data: [], nextCursor: 'b', nextOffset: null },
      { data: [2], nextCursor: null, nextOffset: null },
    ]);
    expect(await collect(client.events.list({ type: 'signup' }))).toEqual([1, 2]);
    expect(asked).toEqual([
      '/events type=signup',
      '/events type=signup&cursor=a',
      '/events type=signup&cursor=b',
    ]);
  });

  test('goes on by its offset, where it has no cursor', async () => {
    const { client, asked } = open([
      { data: [1, 2], hasMore: true, nextOffset: '50' },
      { data: [3], hasMore: false, nextOffset: null },
    ]);
    expect(await collect(client.participants.list({ kind: 'group' }))).toEqual([1, 2, 3]);
    expect(asked).toEqual(['/participants kind=group', '/participants kind=group&offset=50']);
  });

  test('that is read on from where it was left goes on until there is nothing new', async () => {
    const { client, asked } = open([
      { data: [1, 2], next: 'b' },
      { data: [3], next: 'c' },
      { data: [], next: 'c' },
    ]);
    const query = { after: 'start' };
    expect(await collect(client.list('GET /v1/reward-adjustments', { query }))).toEqual([1, 2, 3]);
    expect(asked.map((line) => line.split('=')[1])).toEqual(['start', 'b', 'c']);
    const newest = open([{ data: [9], next: 'z' }]);
    expect(await collect(newest.client.list('GET /v1/reward-adjustments'))).toEqual([9]);
  });

  test('asks for a page only when it is come to', async () => {
    const { client, asked } = open([{ data: [1, 2], nextCursor: 'a' }]);
    for await (const _ of client.rewards.list()) if (asked.length === 1) break;
    expect(asked).toHaveLength(1);
  });
});
