// A process of its own that posts signed bodies as fast as undici can, for as long as it is told,
// and prints what it used. Nothing is read, claimed or written down.
import { createHmac, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';

const { way, ports, bodies, concurrency, seconds } = JSON.parse(await text(process.stdin));
const key = randomBytes(32);
const agent = new Agent();
const payloads = bodies.map((body) => {
  const { id } = JSON.parse(body);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
});

/** Two ways to post: by the least that undici has, and by the call that programs use. */
const WAYS = {
  dispatch: (request) =>
    new Promise((resolve, reject) => {
      agent.dispatch(request, {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: resolve,
        onResponseError: (_, error) => reject(error),
      });
    }),
  async request(request) {
    await (await agent.request(request)).body.dump();
  },
};

let until = 0;
let sent = 0;
async function post() {
  while (performance.now() < until) {
    const { body, headers } = payloads[sent % payloads.length];
    const port = ports[sent % ports.length];
    sent += 1;
    const origin = `http://127.0.0.1:${port}`;
    await WAYS[way]({ origin, path: '/hooks', method: 'POST', headers, body });
  }
}

async function sendFor(ms) {
  const startedAt = performance.now();
  const [sentBefore, cpuBefore] = [sent, process.cpuUsage()];
  until = startedAt + ms;
  await Promise.all(Array.from({ length: concurrency }, post));
  const { user, system } = process.cpuUsage(cpuBefore);
  const tookMs = performance.now() - startedAt;
  return { sent: sent - sentBefore, tookMs, cpuSeconds: (user + system) / 1e6 };
}

// What lasts is measured: the first second warms up.
await sendFor(1_000);
process.stdout.write('warm\n');
process.stdout.write(JSON.stringify(await sendFor(seconds * 1_000)));
await agent.close();
