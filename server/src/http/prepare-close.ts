import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a connection may still take to finish asking, once the end has begun. */
const ASKING_MS = 1_000;

/**
 * Returns how to close the app so that every request it has read is answered, and nobody
 * who asks nothing holds it up: left alone, a connection that stays open after its answer
 * lasts for its whole keep-alive time, one that was opened ahead of need, as browsers do,
 * for ever, and so does one that stops in the middle of a body.
 */
export function prepareClose(app: FastifyInstance): () => Promise<void> {
  let closing = false;
  /** Every open connection, with what it asked last. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  app.server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request) => connections.set(request.socket, request));
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
  return async () => {
    closing = true;
    const end = setTimeout(() => {
      for (const [socket, request] of connections) if (!request?.complete) socket.destroy();
    }, ASKING_MS);
    await app.close();
    clearTimeout(end);
  };
}
