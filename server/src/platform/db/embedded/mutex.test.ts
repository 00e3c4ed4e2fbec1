import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

describe('Mutex', () => {
  it('serves callers one at a time, in the order they asked', async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const work = (name: string) =>
      mutex.run(async () => {
        seen.push(`${name} starts`);
        await Promise.resolve();
        seen.push(`${name} ends`);
      });

    await Promise.all([work('a'), work('b'), work('c')]);

    expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('goes on after a failure', async () => {
    const mutex = new Mutex();
    const failing = mutex.run(() => Promise.reject(new Error('no')));
    const next = mutex.run(async () => 'served');

    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('served');
  });

  it('lets timers run while mutex follow one another without a pause', async () => {
    const mutex = new Mutex();
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 1);

    // Without the pause this loop would never leave the microtask queue, and never end.
    while (!fired) await mutex.run(async () => undefined);

    expect(fired).toBe(true);
  });

  it('lets a burst of new connections in while mutex are long', async () => {
    const mutex = new Mutex();
    let taken = 0;
    const server = createServer((socket) => {
      taken += 1;
      socket.unref();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets = Array.from({ length: 32 }, () => connect(port, '127.0.0.1'));
    const longWork = async () => {
      const startedMs = performance.now();
      while (performance.now() - startedMs < 11);
    };
    // One loop of the event loop takes one connection.
    for (let turn = 0; turn < 8; turn += 1) await mutex.run(longWork);
    expect(taken).toBe(32);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
