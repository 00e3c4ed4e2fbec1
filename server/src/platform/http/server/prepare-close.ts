import type { IncomingMessage } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a connection may still take to finish its request, once closing has begun. */
const ASKING_MS = 1_000;

/** How long accepted connections are taken over at most, before further ones are refused. */
const TAKING_IN_MS = 1_000;
const QUIET_TURN_MS = 1;

/**
 * Returns a function that closes the app so that every request it has read is answered, and no idle
 * connection delays it: by default, a connection that stays open after its response lasts for its
 * whole keep-alive time; one that was opened in advance, as browsers do, lasts forever, and so does
 * one that stops in the middle of a body.
 *
 * Behind a load balancer, a request that is on its way while we close must not get lost either. So
 * for `drainMs` everything continues as before, for balancers that check whether we are ready and
 * then send nothing more. Then we refuse connections, upon which other balancers use the next
 * process, and wait for at most `drainMs` until the open ones are closed: by us with their next
 * response, or by the client if it no longer needs them.
 */
export function prepareClose(app: FastifyInstance): (drainMs: number) => Promise<void> {
  let closing = false;
  let lingerMs = 0;
  let end: NodeJS.Timeout | undefined;
  let onEmpty = () => {};
  let connectionCount = 0;
  /** Every open connection, with its last request. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  app.server.on('connection', (socket) => {
    connectionCount += 1;
    connections.set(socket, undefined);
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size === 0) onEmpty();
    });
  });
  app.server.on('request', (request) => connections.set(request.socket, request));

  async function linger(): Promise<void> {
    if (connections.size === 0 || lingerMs === 0) return;
    const isOver = new AbortController();
    onEmpty = () => isOver.abort();
    await delay(lingerMs, undefined, { signal: isOver.signal }).catch(() => undefined);
  }

  /** Connections that the kernel has accepted would be reset. It passes on one in each turn of the event loop. */
  async function takeIn(): Promise<void> {
    const latest = performance.now() + TAKING_IN_MS;
    for (let now = performance.now(); now < latest; ) {
      const [countBefore, began] = [connectionCount, now];
      await turn();
      now = performance.now();
      // In a turn that took longer, a connection may have arrived after the check.
      if (connectionCount === countBefore && now - began < QUIET_TURN_MS) return;
    }
  }

  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
  // After the hook that ends the streams.
  app.addHook('preClose', async () => {
    await linger();
    end = setTimeout(() => {
      for (const [socket, request] of connections) if (!request?.complete) socket.destroy();
    }, ASKING_MS);
  });
  return async (drainMs) => {
    lingerMs = drainMs;
    await delay(drainMs);
    await takeIn();
    // Not the HTTP server's own `close`, which disconnects idle connections that may be sending a
    // request just now.
    Server.prototype.close.call(app.server);
    closing = true;
    await app.close();
    clearTimeout(end);
  };
}
