import { LRUCache } from 'lru-cache';
import { SendError } from '../dispatch/failure.ts';
import { type EndpointUrl, readEndpointUrl } from '../endpoints/endpoint-url.ts';
import type { Connection, Connections } from './connections.ts';
import { createConnector } from './connector.ts';
import { Exchange, type SendResult } from './exchange.ts';
import type { Reach } from './resolve-host.ts';

export const DEADLINE_MS = 10_000;
/** The maximum life of a connection, so that a new address of the name takes effect. */
const CONNECTION_MS = 60_000;
const URLS_MAX = 1_000;
const HEADERS = { 'user-agent': 'Goodword', 'content-type': 'application/json' };

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Sender {
  /**
   * Posts once. Never rejects, follows no redirects, and ends soon after the deadline at the
   * latest.
   */
  send(request: OutgoingRequest): Promise<SendResult>;
  /** Aborts requests in progress, which then fail as cancelled. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly reach: Reach;
  /** From the lookup to the status line; the rest of the time is for the body. */
  readonly deadlineMs?: number;
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string;
}

/**
 * Sends webhooks over connections that are kept open. A kept connection was checked when it was
 * opened, and the rules never change while the process runs, so it needs no second lookup.
 */
export function createSender({ reach, deadlineMs = DEADLINE_MS, ca }: SenderOptions): Sender {
  const readUrl = createUrlReader();
  let connections: Connections | undefined;
  let isClosed = false;
  /** The client is large, and many services send no webhooks: it is loaded with the first of them. */
  const open = async (): Promise<Connections> => {
    const { Connections } = await import('./connections.ts');
    connections ??= new Connections(
      {
        connect: createConnector({ reach, deadlineMs, ...(ca === undefined ? {} : { ca }) }),
        keepAliveMaxTimeout: CONNECTION_MS,
        // The deadline below covers both, to the millisecond.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      CONNECTION_MS,
    );
    if (isClosed) await connections.close();
    return connections;
  };

  return {
    send: (request) =>
      new Promise((resolve) => {
        let connection: Connection | undefined;
        let isOver = false;
        const exchange = new Exchange(deadlineMs, (result, isWhole) => {
          isOver = true;
          resolve(result);
          if (!connection) return;
          if (isWhole) connections?.giveBack(connection);
          else connections?.drop(connection);
        });
        const dispatch = (opened: Connections) => {
          // The deadline passed while the client was loaded.
          if (isOver) return;
          try {
            const { origin, path } = readUrl(request.url);
            connection = opened.take(origin);
            connection.client.dispatch(
              {
                path,
                method: 'POST',
                headers: { ...HEADERS, ...request.headers },
                body: request.body,
              },
              exchange,
            );
          } catch (error) {
            exchange.end(error);
          }
        };
        if (connections) dispatch(connections);
        else open().then(dispatch, (error) => exchange.end(error));
      }),
    async close() {
      isClosed = true;
      await connections?.close();
    },
  };
}

/**
 * There are few endpoints with many requests each, and parsing a URL costs a good part of a
 * request.
 */
function createUrlReader(): (text: string) => EndpointUrl {
  const known = new LRUCache<string, EndpointUrl>({ max: URLS_MAX });
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const read = readEndpointUrl(text);
    if (!read.ok) throw new SendError('invalid_url', read.issue);
    known.set(text, read.url);
    return read.url;
  };
}
