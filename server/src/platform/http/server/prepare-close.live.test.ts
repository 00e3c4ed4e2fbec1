import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { prepareClose } from './prepare-close.ts';

/** Three requests fit into it on a machine that is busy with other tests. */
const DRAIN_MS = 5_000;

interface Asked {
  readonly status: number | string | undefined;
  readonly connection: string | undefined;
}

/** Sends a request over the one connection of this agent, or over a new one. */
function ask(url: string, agent: Agent | false = false): Promise<Asked> {
  return new Promise((resolve) => {
    get(url, { agent: agent || new Agent() }, (answer) => {
      const { statusCode: status, headers } = answer;
      answer.resume().on('end', () => resolve({ status, connection: headers.connection }));
    }).on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({ status: code, connection: undefined }),
    );
  });
}

async function listen() {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  app.get('/', async () => 'ok');
  app.get('/slow', () => finished.then(() => 'ok'));
  const close = prepareClose(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { close, finish, url: `http://127.0.0.1:${port}/` };
}

const keeping = () => new Agent({ keepAlive: true, maxSockets: 1 });

test('at first all goes on; then connections are refused, and one that was kept is answered once more', async () => {
  const { close, finish, url } = await listen();
  const [used, kept, busy] = [keeping(), keeping(), keeping()];
  for (const agent of [used, kept, busy]) await ask(url, agent);
  const slow = ask(`${url}slow`, busy);

  const closed = close(DRAIN_MS);
  expect((await ask(url)).status).toBe(200);
  expect(await ask(url, used)).toEqual({ status: 200, connection: 'keep-alive' });
  await expect
    .poll(async () => (await ask(url)).status, { timeout: 20_000, interval: 20 })
    .toBe('ECONNREFUSED');
  expect(await ask(url, kept)).toEqual({ status: 200, connection: 'close' });

  finish();
  expect(await slow).toEqual({ status: 200, connection: 'close' });
  // It waits for the other connection, although that one is idle.
  expect(await ask(url, used)).toEqual({ status: 200, connection: 'close' });
  await closed;
});

test('a connection that is kept and never used again holds up the end for its time, and no longer', async () => {
  const { close, url } = await listen();
  const kept = keeping();
  await ask(url, kept);
  await close(100);
  expect((await ask(url, kept)).status).toMatch(/^ECONNRE(SET|FUSED)$/);
});

test('whoever connected before connections are refused is answered, however many they are', async () => {
  const { close, url } = await listen();
  const closed = close(0);
  // The kernel accepts them at once, and passes them to us one by one.
  const answers = Promise.all(Array.from({ length: 50 }, () => ask(url)));
  await closed;
  expect((await answers).map(({ status }) => status)).toEqual(Array(50).fill(200));
});
