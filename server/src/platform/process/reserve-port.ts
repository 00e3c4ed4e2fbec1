import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface ReservedPort {
  /** The one that was asked for, or with 0 a free one. */
  readonly port: number;
  /** To be listened on by somebody else of this process, at once. */
  release(): Promise<void>;
}

/**
 * Holds a port from the start on, so that a second process with the same one ends before it has
 * touched anything. Nobody is answered yet: connections are closed. Rejects as `listen` does.
 */
export async function reservePort(port: number, host: string): Promise<ReservedPort> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.destroy();
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}
