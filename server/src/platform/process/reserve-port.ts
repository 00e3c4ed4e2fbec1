import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface ReservedPort {
  /** The requested port, or for 0 a free one. */
  readonly port: number;
  /** For another listener of this process, which must listen at once. */
  release(): Promise<void>;
}

/**
 * Reserves a port from the start, so that a second process with the same one ends before it has
 * changed anything. No requests are served yet: connections are closed. Rejects as `listen` does.
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
