import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, readAnswer } from './client.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a refusal is told in the service’s words, with every fault and the request id', () => {
  const refuse = (details: unknown) =>
    readAnswer(
      'http://x.test',
      400,
      JSON.stringify({
        success: false,
        error: {
          code: 'INVALID_REQUEST',
          reason: null,
          message: 'Bad.',
          requestId: 'req_1',
          details,
        },
      }),
    );
  expect(() => refuse(null)).toThrow(/^Bad\.\nRequest id: req_1$/);
  const two = [
    { path: 'name', issue: 'is too long' },
    { path: 'environment', issue: 'is required' },
  ];
  expect(() => refuse(two)).toThrow(
    /^Bad\.\n {2}name is too long\n {2}environment is required\nRequest id: req_1$/,
  );
});

test.each([
  [200, '<html>'],
  [200, '{"ok":true}'],
  [302, ''],
  [502, 'null'],
])('an answer %i %s is not taken for one of Goodword’s', (status, text) => {
  expect(() => readAnswer('http://x.test', status, text)).toThrow(
    `What answers at http://x.test is not Goodword (HTTP ${status}).`,
  );
});

test('the token is not carried along a redirect', async () => {
  let visited = false;
  const elsewhere = await serve((_request, response) => {
    visited = true;
    response.end('{"success":true}');
  });
  const url = await serve((_request, response) => {
    response.writeHead(307, { location: elsewhere }).end();
  });
  await expect(createClient(url, 'token').post('/v1/workspaces', {})).rejects.toThrow(
    'is not Goodword (HTTP 307)',
  );
  expect(visited).toBe(false);
});

test('nobody at the address: it says where it looked and how to start the service', async () => {
  const url = await serve(() => undefined);
  for (const close of closers.splice(0)) close();
  await expect(createClient(url, 'token').post('/v1/workspaces', {})).rejects.toThrow(
    `Goodword does not answer at ${url} (ECONNREFUSED).\nStart it with: npm start\n`,
  );
});

test('a list goes over pages until it has enough', async () => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x.test');
    asked.push(searchParams.toString());
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = Math.min(from + Number(searchParams.get('limit')), 250);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    response.end(JSON.stringify({ success: true, data, nextCursor: to < 250 ? String(to) : null }));
  });
  const client = createClient(url, 'token');
  const some = await client.list<number>('/v1/x', { workspaceId: 'ws_1' }, 120);
  expect(some.data).toEqual(Array.from({ length: 120 }, (_, index) => index));
  expect(some.nextCursor).toBe('120');
  expect(asked).toEqual(['workspaceId=ws_1&limit=100', 'workspaceId=ws_1&limit=20&cursor=100']);
  const all = await client.list<number>('/v1/x', {}, 1_000);
  expect([all.data.length, all.nextCursor]).toEqual([250, null]);
});
