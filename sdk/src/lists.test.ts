import { describe, expect, test } from 'vitest';
import { Goodword } from './goodword.ts';

/** A client of a service that returns these pages one after another. */
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

/**
 * A client of a list of `total` numbers, in pages of at most 100, with one of the ways of paging.
 */
function serve(total: number, turn: 'cursor' | 'offset' | 'after') {
  const asked: Record<string, string>[] = [];
  const client = new Goodword({
    url: 'https://refer.example.com',
    apiKey: 'key',
    fetch: async (url) => {
      const query = Object.fromEntries(new URL(String(url)).searchParams);
      asked.push(query);
      const from = Number(query[turn] ?? 0);
      const to = Math.min(from + Number(query.limit ?? 100), total);
      const data = Array.from({ length: to - from }, (_, index) => from + index);
      const field = { cursor: 'nextCursor', offset: 'nextOffset', after: 'next' }[turn];
      const next = to < total || turn === 'after' ? String(to) : null;
      return Response.json({ success: true, data, [field]: next });
    },
  });
  return { asked, client };
}

describe('pages of a list that is known only at run time', () => {
  const query = { projectId: 'p' };

  async function read(served: ReturnType<typeof serve>, pageMax: number | undefined, most: number) {
    const pages = await collect(served.client.pages('GET /v1/x', { query, pageMax, most }));
    const rows = pages.flatMap((page) => page.rows);
    return { count: rows.length, last: rows.at(-1), isMore: pages.at(-1)?.isMore };
  }

  test.each([
    ['cursor', 100],
    ['offset', undefined],
    ['after', 100],
  ] as const)(
    'turned by %s are read as far as is asked, and say if there is more',
    async (turn, pageMax) => {
      const list = () => serve(250, turn);
      expect(await read(list(), pageMax, 50)).toEqual({ count: 50, last: 49, isMore: true });
      expect(await read(list(), pageMax, 120)).toEqual({ count: 120, last: 119, isMore: true });
      expect(await read(list(), pageMax, 1_000)).toEqual({ count: 250, last: 249, isMore: false });
      expect(await read(list(), pageMax, Infinity)).toMatchObject({ count: 250, isMore: false });
      expect(await read(serve(0, turn), pageMax, 50)).toMatchObject({ count: 0, isMore: false });
    },
  );

  test('ask for no more than is wanted, nor than the service gives', async () => {
    const list = serve(250, 'cursor');
    await read(list, 100, 120);
    expect(list.asked).toEqual([
      { projectId: 'p', limit: '100' },
      { projectId: 'p', limit: '20', cursor: '100' },
    ]);
  });

  test('have the whole answer, and their rows in whichever field', async () => {
    const { client, asked } = open([{ events: [1, 2], next: 'b', totals: 3 }]);
    const pages = client.pages('GET /v1/webhook-events', { query: { last: 2 }, field: 'events' });
    expect(await collect(pages)).toEqual([
      { answer: expect.objectContaining({ totals: 3 }), rows: [1, 2], isMore: false },
    ]);
    expect(asked).toEqual(['/webhook-events last=2']);
  });
});
