import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Time limit for receiving a request, so that nobody occupies a connection with half of one. */
export const REQUEST_MS = 30_000;
/** Time limit for receiving a request's headers, from the start of the connection. */
const HEADERS_MS = 15_000;
/** Slightly longer than most load balancers keep an idle connection. */
const KEEP_ALIVE_MS = 72_000;
/** Requests of one connection that wait for their response, or for the response to be read. */
export const UNANSWERED_MAX = 64;

export interface ServerTimes {
  readonly headersMs: number;
  readonly requestMs: number;
}

/**
 * An HTTP server on which no connection can take more than its share: one that sends nothing is
 * closed, and so is one that keeps sending requests without reading the responses. Clients that
 * wait for each response have only one request waiting.
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

/** Requests that arrived together with the one over the limit are already parsed: they are ignored. */
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
