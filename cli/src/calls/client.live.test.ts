import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';

const asOperator = async () => ({ adminToken: 'token' });
const request = { operation: 'POST /v1/workspaces', body: {}, takesKey: false };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The result of a call with this response. */
async function callOf(status: number, text: string, type = 'application/json'): Promise<unknown> {
  const url = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  return createClient(url, asOperator).send(request);
}

test('a refusal is told in the service’s words, with every fault and the request id', async () => {
  const bodyWith = (details: unknown) => ({
    success: false,
    error: { code: 'INVALID_REQUEST', reason: null, message: 'Bad.', requestId: 'req_1', details },
  });
  const refuse = (details: unknown) => callOf(400, JSON.stringify(bodyWith(details)));
  await expect(refuse(null)).rejects.toThrow(/^INVALID_REQUEST: Bad\.\nRequest id: req_1$/);
  const two = [
    { path: 'name', issue: 'is too long' },
    { path: 'environment', issue: 'is required' },
  ];
  await expect(refuse(two)).rejects.toThrow(
    /^INVALID_REQUEST: Bad\.\n {2}name is too long\n {2}environment is required\nRequest id: req_1$/,
  );
  await expect(refuse(two)).rejects.toMatchObject({ exitCode: 1, body: bodyWith(two) });
});

test.each([
  [200, '<html>', 'text/html'],
  [200, '<html>', 'application/json'],
  [200, '{"ok":true}', 'application/json'],
  [302, '', 'text/plain'],
  [502, 'null', 'application/json'],
])('an answer %i %s, %s, is not taken for one of Goodword’s', async (status, text, type) => {
  const call = callOf(status, text, type);
  await expect(call).rejects.toMatchObject({ exitCode: 3 });
  await expect(call).rejects.toThrow(
    new RegExp(`^The server at \\S+ is not Goodword \\(HTTP ${status}\\)\\.`),
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
  await expect(createClient(url, asOperator).send(request)).rejects.toThrow(
    'is not Goodword (HTTP 307)',
  );
  expect(visited).toBe(false);
});

test('nobody at the address: it says where it looked and how to start the service', async () => {
  const url = await serve(() => undefined);
  for (const close of closers.splice(0)) close();
  await expect(createClient(url, asOperator).send(request)).rejects.toThrow(
    `Goodword does not answer at ${url} (ECONNREFUSED).\nStart it with: npm start\n`,
  );
});

test('a service that takes too long is given up after half a minute, and asked once', async () => {
  vi.useFakeTimers();
  let asked = 0;
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    asked += 1;
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const call = createClient('http://x.test', asOperator).send(request);
  const failure = call.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await failure).toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('does not answer at http://x.test (not within 30 s)'),
  });
  expect(asked).toBe(1);
});

test('an id that would lead elsewhere is a mistake of the line, and nothing is sent', async () => {
  const path = { rewardId: '..' };
  const client = createClient('http://127.0.0.1:1', asOperator);
  await expect(
    client.send({ operation: 'GET /v1/rewards/{rewardId}', path, takesKey: true }),
  ).rejects.toMatchObject({ exitCode: 2, message: 'rewardId cannot be "..".' });
});
