import type { IncomingMessage } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a connection may still take to finish asking, once the end has begun. */
const ASKING_MS = 1_000;

/** How long connections that were accepted are taken in at most, before further ones are refused. */
const TAKING_IN_MS = 1_000;
const QUIET_TURN_MS = 1;

/**
 * Returns how to close the app so that every request it has read is answered, and nobody
 * who asks nothing holds it up: left alone, a connection that stays open after its answer
 * lasts for its whole keep-alive time, one that was opened ahead of need, as browsers do,
 * for ever, and so does one that stops in the middle of a body.
 *
 * Behind a load balancer a request must not get lost either that is on its way to us while we
 * close. So for `drainMs` all goes on as before, for balancers that ask whether we are ready and
 * send us nothing more. Then we refuse connections, at which others take the next process, and
 * wait for `drainMs` at most until those that are open have been closed: by us with their next
 * answer, or by whoever keeps them and has no use for them.
 */
export function prepareClose(app: FastifyInstance): (drainMs: number) => Promise<void> {
  let closing = false;
  let lingerMs = 0;
  let end: NodeJS.Timeout | undefined;
  let onEmpty = () => {};
  let connectionCount = 0;
  /** Every open connection, with what it asked last. */
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

  /** What the kernel has accepted for us would be reset. It hands over one connection in each turn of the loop. */
  async function takeIn(): Promise<void> {
    const latest = performance.now() + TAKING_IN_MS;
    for (let now = performance.now(); now < latest; ) {
      const [countBefore, began] = [connectionCount, now];
      await turn();
      now = performance.now();
      // In a turn that took longer, somebody may have come after we looked.
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
    // Not the HTTP server's own way, which hangs up on idle connections that may be asking just now.
    Server.prototype.close.call(app.server);
    closing = true;
    await app.close();
    clearTimeout(end);
  };
}
