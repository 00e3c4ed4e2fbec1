import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request may take to arrive, so that nobody holds a connection with half of one. */
export const REQUEST_MS = 30_000;
/** How long a connection may take to say what it wants, from its first moment on. */
const HEADERS_MS = 15_000;
/** As long as most load balancers keep a connection that is not in use, and a little longer. */
const KEEP_ALIVE_MS = 72_000;
/** Requests of one connection that wait for their answer, or for their answer to be read. */
export const UNANSWERED_MAX = 64;

export interface ServerTimes {
  readonly headersMs: number;
  readonly requestMs: number;
}

/**
 * An HTTP server on which no connection can take more than its share: one that sends nothing is closed,
 * and so is one that sends request after request without reading the answers. Clients that send the next
 * request after the answer have one waiting.
 */
export function createBoundedServer(
  handle: RequestListener,
  times: ServerTimes = { headersMs: HEADERS_MS, requestMs: REQUEST_MS },
): Server {
  return createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: Math.ceil(times.headersMs / 3),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    boundUnanswered(handle),
  );
}

/** What came along with the request that was too many is read already: it is left out. */
function boundUnanswered(handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > UNANSWERED_MAX) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    handle(request, response);
  };
}
