import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { probePort } from './probe-port.ts';

test('a port in use is told, and a free one is found', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await expect(probePort(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await probePort(0, '127.0.0.1')).toBeGreaterThan(0);
  server.close();
});

test('until the service listens, connections are refused', async () => {
  const port = await probePort(0, '127.0.0.1');
  const early = connect(port, '127.0.0.1');
  await expect(once(early, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
