import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, readAnswer } from './client.ts';

const asOperator = async () => ({ authorization: 'Bearer token' });
const request = { method: 'POST', path: '/v1/workspaces', body: {}, takesKey: false };

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
  expect(() => refuse(null)).toThrow(/^INVALID_REQUEST: Bad\.\nRequest id: req_1$/);
  const two = [
    { path: 'name', issue: 'is too long' },
    { path: 'environment', issue: 'is required' },
  ];
  expect(() => refuse(two)).toThrow(
    /^INVALID_REQUEST: Bad\.\n {2}name is too long\n {2}environment is required\nRequest id: req_1$/,
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
  await expect(createClient(url, asOperator).call(request)).rejects.toThrow(
    'is not Goodword (HTTP 307)',
  );
  expect(visited).toBe(false);
});

test('nobody at the address: it says where it looked and how to start the service', async () => {
  const url = await serve(() => undefined);
  for (const close of closers.splice(0)) close();
  await expect(createClient(url, asOperator).call(request)).rejects.toThrow(
    `Goodword does not answer at ${url} (ECONNREFUSED).\nStart it with: npm start\n`,
  );
});
