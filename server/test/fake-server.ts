import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Null cuts the connection instead of answering. */
export type FakeAnswer = { readonly status: number; readonly body: unknown } | null;

/** A server of another company, as far as a test needs one: its handler is its whole logic. */
export class FakeServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(
    handle: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
  ): Promise<FakeServer> {
    const server = createServer((request, response) => {
      answer(request, response, handle).catch((error) => {
        response.writeHead(599).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const url = new URL(request.url ?? '/', 'http://fake');
  const answered = await handle({
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  });
  if (!answered) {
    request.socket.destroy();
    return;
  }
  response.writeHead(answered.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answered.body));
}
