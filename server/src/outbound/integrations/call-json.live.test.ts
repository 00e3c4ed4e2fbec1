import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ANSWER_MAX, callJson } from './call-json.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(size: number): Promise<unknown> {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`"${'é'.repeat((size - 2) / 2)}"`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return callJson({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {} });
}

test('an answer is read as far as any of theirs goes', async () => {
  const body = 'é'.repeat((ANSWER_MAX - 2) / 2);
  expect(await ask(ANSWER_MAX)).toEqual({ status: 200, body });
});

test('a longer one is not: nobody knows what was done', async () => {
  await expect(ask(ANSWER_MAX + 2)).rejects.toThrow('longer');
});
