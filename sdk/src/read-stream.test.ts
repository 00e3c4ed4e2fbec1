import { afterEach, describe, expect, test, vi } from 'vitest';
import { Goodword } from './goodword.ts';

afterEach(() => void vi.useRealTimers());

/** A table that a test sends in pieces; the first line is there at once. */
function open(answer?: Response) {
  let table: ReadableStreamDefaultController<Uint8Array> | undefined;
  const asked: string[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      table = controller;
    },
  });
  const send = (text: string) => table?.enqueue(new TextEncoder().encode(text));
  send('first\n');
  const client = new Goodword({
    url: 'https://refer.example.com',
    adminToken: 'token',
    fetch: async (url, init) => {
      asked.push(`${init?.method} ${url} ${new Headers(init?.headers).get('accept')}`);
      init?.signal?.addEventListener('abort', () => table?.error(init.signal?.reason));
      return answer ?? new Response(body, { headers: { 'content-type': 'text/csv' } });
    },
  });
  const query = { projectId: 'prj_1' };
  const rows = client.table('GET /v1/exports/rewards', { query });
  return {
    rows,
    asked,
    send,
    end: () => table?.close(),
    break: () => table?.error(new Error('x')),
  };
}

describe('a table', () => {
  test('is handed on as it comes in, to its end', async () => {
    const { rows, asked, send, end } = open();
    expect(await rows.next()).toEqual({ done: false, value: 'first\n' });
    send('second\n');
    expect(await rows.next()).toEqual({ done: false, value: 'second\n' });
    end();
    expect((await rows.next()).done).toBe(true);
    expect(asked).toEqual([
      'GET https://refer.example.com/v1/exports/rewards?projectId=prj_1 text/csv',
    ]);
  });

  test('that breaks off is a failure', async () => {
    const table = open();
    await table.rows.next();
    table.break();
    await expect(table.rows.next()).rejects.toMatchObject({ code: 'NO_ANSWER' });
  });

  test('that falls silent is given up after a minute, and says so', async () => {
    vi.useFakeTimers();
    const { rows } = open();
    await rows.next();
    const silent = rows.next().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await silent).toMatchObject({ code: 'NO_ANSWER', cause: { name: 'TimeoutError' } });
  });

  test('waits for whoever reads it', async () => {
    vi.useFakeTimers();
    const { rows, end } = open();
    await rows.next();
    await vi.advanceTimersByTimeAsync(3_600_000);
    end();
    expect((await rows.next()).done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not taken from something that is not Goodword', async () => {
    const { rows } = open(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    await expect(rows.next()).rejects.toMatchObject({ code: 'BAD_ANSWER', status: 200 });
  });
});
