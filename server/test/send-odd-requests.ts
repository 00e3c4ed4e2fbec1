import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { startService, type TestService } from './harness.ts';
import { makeWorlds, nextRequest, type OddRequest } from './odd-requests.ts';
import { makeRandom } from './random.ts';
import { TestMailer } from './test-mailer.ts';

/** So many share a world, in which most ids and credentials are still good. */
const WORLD_REQUESTS = 4_000;
const AT_ONCE = 8;
const ANSWER_MS = 120_000;

/** What is not HTTP, or hardly. */
const RAW = [
  'HELLO\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET /v1/sources HTTP/1.1\r\n\r\n',
  'GET http://other.example/v1/sources HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET //v1//sources HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue, other\r\nConnection: close\r\n\r\n',
  'POST /v1/sources HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /v1/sources HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nz',
  'POST /v1/clicks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n',
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
  'GET / HTTP/1.1\r\nHost: x\r\na\u0000b: c\r\n\r\n',
  'G\u00cbT / HTTP/1.1\r\nHost: x\r\n\r\n',
];

export interface Tally {
  /** How often there was each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests that must not have been answered so, or at all. */
  readonly faults: readonly string[];
}

/** Sends so many requests, and what is hardly HTTP; the same ones for the same seed. */
export async function sendOddRequests(
  service: TestService,
  count: number,
  seed: number,
): Promise<Tally> {
  const random = makeRandom(seed);
  const newWorld = await makeWorlds(service);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const note = (what: string, status: number | string) => {
    if (typeof status === 'number') statuses.set(status, (statuses.get(status) ?? 0) + 1);
    // What needs somebody else's service is 503 without it.
    if (typeof status === 'string' || (status >= 500 && status !== 503)) {
      faults.push(`${status} ${what}`);
    }
  };
  for (const text of RAW) note(JSON.stringify(text.slice(0, 80)), await sendRaw(service, text));
  let sent = 0;
  while (sent < count) {
    const world = await newWorld();
    const end = Math.min(count, sent + WORLD_REQUESTS);
    const work = async () => {
      while (sent < end) {
        sent += 1;
        const odd = nextRequest(random, world);
        note(`(${sent}) ${describe(odd)}`, await send(service, agent, odd));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  agent.destroy();
  return { statuses, faults };
}

function describe({ method, path, headers, body }: OddRequest): string {
  const shown = { ...headers };
  for (const name of ['x-api-key', 'authorization', 'cookie']) {
    if (shown[name]) shown[name] = shown[name].slice(0, 20);
  }
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(shown).slice(0, 400)} ${String(body).slice(0, 400)}`;
}

/** The status of the answer, or why there was none. A stream is left once it has begun. */
function send(service: TestService, agent: Agent, odd: OddRequest): Promise<number | string> {
  const { method, path, headers, body } = odd;
  return new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    const sent = request({ hostname, port, agent, method, path, headers, timeout: ANSWER_MS });
    sent.once('response', (answer) => {
      const status = answer.statusCode as number;
      if (answer.headers['content-type']?.startsWith('text/event-stream')) {
        sent.destroy();
        resolve(status);
        return;
      }
      answer.resume();
      answer.once('close', () => resolve(answer.complete ? status : `broken ${status}`));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', (error) => resolve(String(error)));
    sent.end(body);
  });
}

function sendRaw({ url }: TestService, text: string): Promise<number | string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.once('error', () => undefined);
    // Some of it is only hung up on, as nothing can be answered to it.
    socket.once('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 400)));
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.end(text, 'latin1');
  });
}

/** Nothing slows anybody down, and no provider is reached: their places are ports that refuse. */
export function startOddService(): Promise<TestService> {
  const nowhere = 'http://127.0.0.1:9';
  return startService({
    settings: { requiresTotp: false },
    mailer: new TestMailer(),
    providerHosts: {
      paypal: { sandbox: nowhere, live: nowhere },
      wise: { sandbox: nowhere, live: nowhere },
      stripe: { host: '127.0.0.1', port: 9, protocol: 'http', timeoutMs: 1_000 },
    },
  });
}
