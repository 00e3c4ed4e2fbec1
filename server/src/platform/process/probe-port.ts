import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Finds out whether the port can be listened on, so that a process with a port in use ends before it
 * has changed anything. Returns the port, for 0 a free one. Does not hold it until the service is
 * ready: a proxy would take a connection that is closed for a request that failed, and would try
 * another process only if it is refused. Rejects as `listen` does.
 */
export async function probePort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return found;
}
