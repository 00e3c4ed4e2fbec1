import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../calls/client.ts';
import type { Context } from '../context.ts';
import { printTable } from './print-table.ts';

const request = { method: 'GET', path: '/v1/exports/rewards', takesKey: true };
const printed: string[] = [];
const io = {
  out: async (text: string) => void printed.push(text),
} as Context['io'];

afterEach(() => {
  vi.useRealTimers();
  printed.length = 0;
});

test('a table that breaks off is told as such, not as a fault of the program', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write('id,amount\n', () => setTimeout(() => response.destroy(), 10));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(baseUrl, async () => ({}));
  await expect(printTable({ client, io }, request)).rejects.toMatchObject({
    name: 'CliError',
    exitCode: 3,
    message: `The connection to ${baseUrl} broke: the table is not whole.`,
  });
  expect(printed).toEqual(['id,amount\n']);
});

/** A service that sends a line now, and the next when it is told. */
function openSlowly() {
  let table: ReadableStreamDefaultController<Uint8Array> | undefined;
  const send = (text: string) => table?.enqueue(new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      table = controller;
      send('first\n');
    },
  });
  const client = {
    baseUrl: 'http://x.test',
    call: () => Promise.reject(new Error('unused')),
    open: async (_request: unknown, signal?: AbortSignal) => {
      signal?.addEventListener('abort', () => table?.error(signal.reason));
      return new Response(body);
    },
  };
  return { client, send, end: () => table?.close() };
}

test('a silent connection is given up after a minute', async () => {
  vi.useFakeTimers();
  const { client, send } = openSlowly();
  const table = printTable({ client, io }, request).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(59_000);
  send('second\n');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(printed).toEqual(['first\n', 'second\n']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await table).toMatchObject({
    exitCode: 3,
    message: 'Nothing came from http://x.test for 60 s: the table is not whole.',
  });
});

test('whoever reads the table may take longer', async () => {
  vi.useFakeTimers();
  const { client, end } = openSlowly();
  const slow = {
    out: (text: string) =>
      new Promise<void>((resolve) => {
        printed.push(text);
        setTimeout(resolve, 3_600_000);
      }),
  } as Context['io'];
  const table = printTable({ client, io: slow }, request);
  end();
  await vi.advanceTimersByTimeAsync(3_600_000);
  await table;
  expect(printed).toEqual(['first\n']);
  expect(vi.getTimerCount()).toBe(0);
});
