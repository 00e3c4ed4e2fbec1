import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { reservePort } from './reserve-port.ts';

test('of two who want a port, one gets it', async () => {
  const first = await reservePort(0, '127.0.0.1');
  expect(first.port).toBeGreaterThan(0);
  await expect(reservePort(first.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.release();
});

test('nobody is answered while it is held, and it can be listened on right after', async () => {
  const { port, release } = await reservePort(0, '127.0.0.1');
  const early = connect(port, '127.0.0.1');
  let answer = '';
  early.on('data', (chunk) => {
    answer += chunk;
  });
  early.on('error', () => undefined);
  await once(early, 'close');
  expect(answer).toBe('');
  // An open connection does not keep it reserved.
  const open = connect(port, '127.0.0.1');
  open.on('error', () => undefined);
  await release();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  open.destroy();
});
