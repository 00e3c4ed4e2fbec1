import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of a call: it gets through; the connection is cut before the service hears of it, or
 * after the service has done it and before it says so; or somebody else answers.
 */
export type Fault =
  | 'none'
  | 'cut before'
  | 'cut after'
  | { readonly status: number; readonly headers?: Record<string, string> };

export interface Passed {
  readonly line: string;
  readonly fault: Fault;
  readonly key: string | undefined;
}

/** Stands between a client and the service, and does to its calls what networks do. */
export class FaultProxy {
  /** What happens to the next calls, in order; the ones after them get through. */
  readonly plan: Fault[] = [];
  readonly passed: Passed[] = [];
  readonly #server = createServer((request, response) => this.#handle(request, response));
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts whatever is open. */
  cutAll(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const fault = this.plan.shift() ?? 'none';
    const key = request.headers['idempotency-key'] as string | undefined;
    this.passed.push({ line: `${request.method} ${request.url?.split('?')[0]}`, fault, key });
    if (fault === 'cut before') {
      request.socket.destroy();
      return;
    }
    if (typeof fault === 'object') {
      request.resume();
      response.writeHead(fault.status, fault.headers).end('<h1>Not now</h1>');
      return;
    }
    const { method, headers, url } = request;
    const upstream = forward(new URL(url ?? '/', this.#target), { method, headers }, (answer) => {
      if (fault === 'cut after') {
        answer.resume().once('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    upstream.once('error', () => response.destroy());
    response.once('close', () => upstream.destroy());
    request.pipe(upstream);
  }
}
