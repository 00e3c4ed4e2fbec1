import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createBoundedServer, type ServerTimes, UNANSWERED_MAX } from './bounded-server.ts';
import { createServer } from './create-server.ts';

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function listen(handle: RequestListener, times?: ServerTimes): Promise<Socket> {
  const server = createBoundedServer(handle, times).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return dial((server.address() as AddressInfo).port);
}

function dial(port: number, allowHalfOpen = false): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  closes.push(() => socket.destroy());
  return socket.on('error', () => undefined);
}

/** Includes a reset. */
const closed = (socket: Socket) =>
  new Promise((resolve) => {
    socket.once('close', resolve).resume();
  });

/** Everything that arrives until the other side ends. */
const received = async (socket: Socket) => Buffer.concat(await socket.toArray()).toString();

test('a connection that sends nothing is closed without a word, one that sends half a request is told', async () => {
  const app = createServer({
    newId: (prefix) => `${prefix}_x`,
    trustProxy: false,
    baseUrl: 'http://127.0.0.1',
    times: { headersMs: 150, requestMs: 300 },
    onAnswer: () => undefined,
    onFailure: () => undefined,
  });
  closes.push(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const silent = dial(port, true);
  const half = dial(port, true);
  half.write('POST /v1/clicks HTTP/1.1\r\nHost: x\r\nContent-Le');
  expect(await received(silent)).toBe('');
  expect(await received(half)).toMatch(/^HTTP\/1\.1 400 .*was not complete in time/s);
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count))))
    .toBe(0);
});

test('of requests sent without waiting for answers, so many are looked at and no more', async () => {
  let handled = 0;
  const socket = await listen(() => {
    handled += 1;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(6_000));
  await closed(socket);
  expect(handled).toBe(UNANSWERED_MAX);
});

test('whoever reads the answers may send as many as they like, and some ahead', async () => {
  const socket = await listen((_request, response) => response.end('ok'));
  const rounds = 20;
  let answers = 0;
  for (let round = 0; round < rounds; round += 1) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(UNANSWERED_MAX / 2));
    while (answers < ((round + 1) * UNANSWERED_MAX) / 2) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      answers += chunk.toString().split('HTTP/1.1 200').length - 1;
    }
  }
  expect(answers).toBe((rounds * UNANSWERED_MAX) / 2);
});
