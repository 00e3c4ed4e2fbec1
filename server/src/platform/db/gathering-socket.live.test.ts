import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createGatheringSocket } from './gathering-socket.ts';

test('what is written in one turn leaves in one call, and all of it arrives in order', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = createGatheringSocket();
  const calls: number[] = [];
  const inner = socket as Socket & { _writev(chunks: unknown[], done: () => void): void };
  const sendMany = inner._writev.bind(socket);
  inner._writev = (chunks, done) => {
    calls.push(chunks.length);
    sendMany(chunks, done);
  };
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  socket.connect((server.address() as { port: number }).port, '127.0.0.1');
  await once(socket, 'connect');
  const [peer] = await accepted;
  let received = '';
  peer.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });

  socket.write('a');
  await Promise.resolve();
  socket.write('b');
  await Promise.resolve();
  socket.write('c');
  await expect.poll(() => received).toBe('abc');
  expect(calls).toEqual([3]);

  socket.write('d');
  socket.write('e');
  await expect.poll(() => received).toBe('abcde');
  expect(calls).toEqual([3, 2]);
  socket.destroy();
  peer.destroy();
  server.close();
});
