import { expect, test } from 'vitest';
import { listKeys, listProjects } from './lists.ts';

/** Lists of 250 rows, in pages. */
const get = async <A>(path: string, query: Record<string, string> = {}): Promise<A> => {
  const from = Number(query.cursor ?? 0);
  const to = Math.min(from + Number(query.limit), path === '/v1/workspaces' ? 2 : 250);
  const data = Array.from({ length: to - from }, (_, at) => ({
    id: `${query.workspaceId ?? path} ${from + at}`,
  }));
  return { data, nextCursor: data.length === 100 ? String(to) : null } as A;
};

test('every project is looked at, and the key is looked for among all there are', async () => {
  expect(new Set(await listProjects(get)).size).toBe(250);
  const keys = await listKeys(get);
  expect(new Set(keys.map(({ id }) => id)).size).toBe(500);
  expect(keys.at(-1)?.id).toBe('/v1/workspaces 1 249');
});
