import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from './client.ts';

const request = { operation: 'GET /v1/exports/rewards', takesKey: true };
const asOperator = async () => ({ adminToken: 'token' });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Prints a table as the command does, into the list. */
async function print(
  baseUrl: string,
  printed: string[],
  out: () => Promise<void> = async () => undefined,
): Promise<void> {
  for await (const piece of createClient(baseUrl, asOperator).table(request)) {
    printed.push(piece);
    await out();
  }
}

test('a table that breaks off is told as such, not as a fault of the program', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write('id,amount\n', () => setTimeout(() => response.destroy(), 10));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const printed: string[] = [];
  await expect(print(baseUrl, printed)).rejects.toMatchObject({
    name: 'CliError',
    exitCode: 3,
    message: `The connection to ${baseUrl} broke: the table is not complete.`,
  });
  expect(printed).toEqual(['id,amount\n']);
});

/** A service that sends one line now, and the next on request. */
function openSlowly() {
  let table: ReadableStreamDefaultController<Uint8Array> | undefined;
  const send = (text: string) => table?.enqueue(new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      table = controller;
    },
  });
  send('first\n');
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => table?.error(signal.reason));
    return new Response(body, { headers: { 'content-type': 'text/csv; charset=utf-8' } });
  });
  return { send, end: () => table?.close() };
}

test('a silent connection is given up after a minute', async () => {
  vi.useFakeTimers();
  const { send } = openSlowly();
  const printed: string[] = [];
  const table = print('http://x.test', printed).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(59_000);
  send('second\n');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(printed).toEqual(['first\n', 'second\n']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await table).toMatchObject({
    exitCode: 3,
    message: 'No data from http://x.test for 60 s: the table is not complete.',
  });
});

test('whoever reads the table may take longer', async () => {
  vi.useFakeTimers();
  const { end } = openSlowly();
  const printed: string[] = [];
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 3_600_000));
  const table = print('http://x.test', printed, slow);
  end();
  await vi.advanceTimersByTimeAsync(3_600_000);
  await table;
  expect(printed).toEqual(['first\n']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a service that is not there at the beginning is told as for every call', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  });
  await expect(print('http://x.test', [])).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('does not answer at http://x.test (ECONNREFUSED)'),
  });
});
