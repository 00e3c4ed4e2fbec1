import { expect, test } from 'vitest';
import type { Request } from './client.ts';
import type { Parameter } from './document.ts';
import { readPages } from './pages.ts';

const parameter = (name: string, maximum?: number): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: maximum === undefined ? {} : { maximum },
});
const request: Request = {
  method: 'GET',
  path: '/v1/x',
  query: { projectId: 'p' },
  takesKey: true,
};

/** A list of `total` numbers, in pages of at most `pageMax`, that is turned in one of the ways. */
function serve(total: number, pageMax: number, turn: 'cursor' | 'offset' | 'after') {
  const asked: Record<string, string>[] = [];
  const call = async <A>({ query = {} }: Request): Promise<A> => {
    asked.push({ ...query });
    const from = Number(query[turn] ?? 0);
    const to = Math.min(from + Number(query.limit ?? pageMax), total);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    const field = { cursor: 'nextCursor', offset: 'nextOffset', after: 'next' }[turn];
    const next = to < total || turn === 'after' ? String(to) : null;
    return { success: true, data, [field]: next } as A;
  };
  return { asked, client: { call } };
}

async function collect(
  served: ReturnType<typeof serve>,
  parameters: readonly Parameter[],
  most: number,
) {
  const rows: unknown[] = [];
  let isMore = false;
  const list = { parameters, field: 'data', most };
  for await (const page of readPages(served.client, request, list)) {
    rows.push(...page.rows);
    isMore = page.isMore;
  }
  return { count: rows.length, last: rows.at(-1), isMore };
}

test.each([
  ['cursor', [parameter('limit', 100), parameter('cursor')]],
  ['offset', [parameter('offset')]],
  ['after', [parameter('limit', 100), parameter('after')]],
] as const)(
  'a list turned by %s is read as far as is asked, and says if there is more',
  async (turn, parameters) => {
    const list = () => serve(250, 100, turn);
    expect(await collect(list(), parameters, 50)).toEqual({ count: 50, last: 49, isMore: true });
    expect(await collect(list(), parameters, 120)).toEqual({ count: 120, last: 119, isMore: true });
    expect(await collect(list(), parameters, 1_000)).toEqual({
      count: 250,
      last: 249,
      isMore: false,
    });
    expect(await collect(list(), parameters, Infinity)).toMatchObject({
      count: 250,
      isMore: false,
    });
    expect(await collect(serve(0, 100, turn), parameters, 50)).toMatchObject({
      count: 0,
      isMore: false,
    });
  },
);

test('no page asks for more than is wanted, nor than the service gives', async () => {
  const list = serve(250, 100, 'cursor');
  await collect(list, [parameter('limit', 100), parameter('cursor')], 120);
  expect(list.asked).toEqual([
    { projectId: 'p', limit: '100' },
    { projectId: 'p', limit: '20', cursor: '100' },
  ]);
});
