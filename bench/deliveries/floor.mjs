// A process of its own that posts signed bodies as fast as undici can, for as long as it is told,
// and prints what it used. Nothing is read, claimed or written down.
import { createHmac, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';

const { ports, bodies, concurrency, seconds } = JSON.parse(await text(process.stdin));
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

const until = performance.now() + seconds * 1_000;
let sent = 0;
async function post() {
  while (performance.now() < until) {
    const { body, headers } = payloads[sent % payloads.length];
    const port = ports[sent % ports.length];
    sent += 1;
    const origin = `http://127.0.0.1:${port}`;
    await new Promise((resolve, reject) => {
      const request = { origin, path: '/hooks', method: 'POST', headers, body };
      agent.dispatch(request, {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: resolve,
        onResponseError: (_, error) => reject(error),
      });
    });
  }
}
const startedAt = performance.now();
await Promise.all(Array.from({ length: concurrency }, post));
const { user, system } = process.cpuUsage();
const tookMs = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ sent, tookMs, cpuSeconds: (user + system) / 1e6 }));
await agent.close();
