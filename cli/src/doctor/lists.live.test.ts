import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../calls/client.ts';
import { listKeys, listProjects } from './lists.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Lists of 250 rows, in pages. */
const client = createClient('http://x.test', async () => ({ adminToken: 'token' }));
const serve = async (url: string): Promise<Response> => {
  const { pathname, searchParams } = new URL(url);
  const { cursor, limit, workspaceId } = Object.fromEntries(searchParams);
  const from = Number(cursor ?? 0);
  const to = Math.min(from + Number(limit), pathname === '/v1/workspaces' ? 2 : 250);
  const data = Array.from({ length: to - from }, (_, at) => ({
    id: `${workspaceId ?? pathname} ${from + at}`,
  }));
  const nextCursor = data.length === 100 ? String(to) : null;
  return Response.json({ success: true, data, nextCursor });
};

test('every project is looked at, and the key is looked for among all there are', async () => {
  vi.stubGlobal('fetch', serve);
  expect(new Set(await listProjects(client)).size).toBe(250);
  const keys = await listKeys(client);
  expect(new Set(keys.map(({ id }) => id)).size).toBe(500);
  expect(keys.at(-1)?.id).toBe('/v1/workspaces 1 249');
});
