import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a connection that has asked nothing yet may still do so. */
const SILENT_MS = 1_000;

/**
 * Returns how to close the app so that every request it has read is answered, and nobody
 * who asks nothing holds it up: left alone, a connection that stays open after its answer
 * lasts for its whole keep-alive time, and one that was opened ahead of need, as browsers
 * do, for ever.
 */
export function prepareClose(app: FastifyInstance): () => Promise<void> {
  let closing = false;
  const silent = new Set<Socket>();
  app.server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
  return async () => {
    closing = true;
    const end = setTimeout(() => {
      for (const socket of silent) socket.destroy();
    }, SILENT_MS);
    await app.close();
    clearTimeout(end);
  };
}
