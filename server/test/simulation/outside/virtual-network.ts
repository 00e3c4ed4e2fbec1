import { Dispatcher, setGlobalDispatcher } from 'undici';
import type { FakeAnswer, FakeRequest } from '../../fake-server.ts';
import type { Owner, VirtualTime } from '../authority/virtual-time.ts';

/** What answers at an origin such as `https://api.example.com`. */
export type VirtualServer = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

const ONE_WAY_MS = 20;

/** What is on its way arrives, whatever becomes of the process that has sent it. */
const WIRE: Owner = { name: 'network', state: 'running' };

/**
 * The network between a service and the providers that it calls. Requests take virtual time, and reach servers in this
 * process.
 */
export class VirtualNetwork extends Dispatcher {
  readonly #time: VirtualTime;
  readonly #servers: ReadonlyMap<string, VirtualServer>;

  constructor(time: VirtualTime, servers: ReadonlyMap<string, VirtualServer>) {
    super();
    this.#time = time;
    this.#servers = servers;
  }

  /** From now on all calls of this process go through it. */
  install(): void {
    setGlobalDispatcher(this);
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    void this.#carry(options, handler);
    return true;
  }

  override async close(): Promise<void> {}
  override async destroy(): Promise<void> {}

  async #carry(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): Promise<void> {
    const time = this.#time;
    let isAborted = false;
    handler.onConnect?.((error) => {
      isAborted = true;
      handler.onError?.(error ?? new Error('It was aborted.'));
    });
    const server = this.#servers.get(String(options.origin));
    if (!server) throw new Error(`Nothing answers at ${options.origin}.`);
    const request = await toRequest(options);
    time.note(`${request.method} ${options.origin}${options.path}`);
    await time.as(WIRE, () => time.sleep(ONE_WAY_MS));
    const answer = await server(request);
    // A process that is dead by now learns nothing, and a frozen one learns it late.
    await time.sleep(ONE_WAY_MS);
    if (isAborted) return;
    if (answer === null) {
      handler.onError?.(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
      return;
    }
    const headers = ['content-type', 'application/json'].map((text) => Buffer.from(text));
    handler.onHeaders?.(answer.status, headers, () => undefined, '');
    handler.onData?.(Buffer.from(JSON.stringify(answer.body)));
    handler.onComplete?.([]);
  }
}

async function toRequest(options: Dispatcher.DispatchOptions): Promise<FakeRequest> {
  const { path, method, headers, body } = options;
  const url = new URL(path, 'https://host.example.com');
  const chunks: Buffer[] = [];
  // Of a call by fetch it is a list of bytes that come one after the other.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>)
    chunks.push(Buffer.from(chunk));
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headersOf(headers)),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Names and values, in whichever form they are given. */
function headersOf(headers: Dispatcher.DispatchOptions['headers']): [string, string][] {
  const entries = Symbol.iterator in Object(headers) ? [...(headers as Iterable<unknown>)] : null;
  const pairs = entries ?? Object.entries(headers ?? {});
  return (pairs as [string, unknown][]).map(([name, value]) => [name.toLowerCase(), String(value)]);
}
