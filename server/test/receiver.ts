import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on this machine that takes webhooks, or does what a bad one would. */
export interface Receiver {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
  /** Resolves when the connections so far are closed. */
  disconnected(): Promise<void>;
  close(): Promise<void>;
}

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Answers over HTTP as the listener says, or over HTTPS if there is a certificate. */
export function receiveHttp(listener: RequestListener, tls?: Certificate): Promise<Receiver> {
  return listen(tls ? createHttpsServer(tls, listener) : createHttpServer(listener));
}

/** Hands over bare connections. */
export function receiveTcp(listener: (socket: Socket) => void): Promise<Receiver> {
  return listen(createServer(listener));
}

async function listen(server: Server): Promise<Receiver> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    async disconnected() {
      for (const socket of sockets) {
        // An error comes before its close, and would end `once`.
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
