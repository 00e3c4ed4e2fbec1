import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../calls/client.ts';
import { begin } from './tail.ts';

afterEach(() => void vi.unstubAllGlobals());

describe('where it begins', () => {
  const minute = (at: number) => new Date(at * 60_000).toISOString();
  const feed = Array.from({ length: 1_300 }, (_, at) => ({
    id: `wev_${at}`,
    type: 'x.y',
    occurredAt: minute(at),
    data: {},
  }));

  async function beginWith(values: { last?: number; since?: string }) {
    const { last = null, since = null } = values;
    let calls = 0;
    vi.stubGlobal('fetch', async (url: string) => {
      calls += 1;
      const query = Object.fromEntries(new URL(url).searchParams);
      const from = query.last ? feed.length - Number(query.last) : Number(query.after ?? 0);
      const events = feed.slice(from, from + Number(query.last ?? query.limit));
      return Response.json({ success: true, events, next: String(from + events.length) });
    });
    const printed: string[] = [];
    const client = createClient('http://x.test', async () => ({ apiKey: 'key' }));
    const beginning = { projectId: 'prj_1', last, since };
    const next = await begin(client, beginning, async ({ id, occurredAt }) => {
      if (since === null || occurredAt >= since) printed.push(id);
    });
    return { calls, next, count: printed.length, first: printed[0] };
  }

  test.each([
    ['now', {}, { calls: 1, count: 0, first: undefined }],
    ['the newest two', { last: 2 }, { calls: 1, count: 2, first: 'wev_1298' }],
    [
      'a time among the newest',
      { since: minute(1_000) },
      { calls: 1, count: 300, first: 'wev_1000' },
    ],
    ['a time before them', { since: minute(100) }, { calls: 4, count: 1_200, first: 'wev_100' }],
  ])('%s', async (_, values, expected) => {
    expect(await beginWith(values)).toEqual({ ...expected, next: '1300' });
  });
});
