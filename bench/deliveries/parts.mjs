import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cleanUpAtExit } from '../kit/clean-up.mjs';
import { signUp } from '../kit/projects.mjs';
import { callService, onPostgres } from '../kit/service.mjs';

export const EVENTS_PER_SIGNUP = 5;
export const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The receiver in a process of its own, which listens on so many ports. */
export async function startReceiver(ports) {
  const child = spawn(process.execPath, [here('./receiver.mjs'), String(ports)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUpAtExit({ child });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value);
  const ask = (what) => {
    child.stdin.write(`${what}\n`);
    return read();
  };
  return {
    ports: await read(),
    count: () => ask('count'),
    keep: () => ask('keep'),
    report: () => ask('report'),
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}

export const settingsOf = (cluster, role) => ({
  ...onPostgres(cluster),
  ROLE: role,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
});

export const addEndpoint = (service, { projectId, key }, { port, path }, more = {}) =>
  callService(service, 'POST', '/v1/webhook-endpoints', {
    body: { projectId, url: `http://127.0.0.1:${port}${path}`, ...more },
    key,
  });

const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

export async function fill(service, targets, signups) {
  for (const target of targets) {
    for (let from = 0; from < signups; from += 500) {
      await callService(service, 'POST', '/v1/track/events/batch', {
        body: {
          projectId: target.projectId,
          events: Array.from({ length: Math.min(500, signups - from) }, (_, index) => ({
            sourceNamespaceId: target.sourceNamespaceId,
            type: 'signup',
            refCode: target.code,
            participant: { kind: 'individual', externalId: `fill-${from + index}` },
          })),
        },
        key: target.key,
      });
    }
  }
}

/** Signups at an even pace, and how long after each event was saved it came to the receiver. */
export async function measurePace(service, target, receiver, { seconds, eventsPerSecond }) {
  const everyMs = 1_000 / (eventsPerSecond / EVENTS_PER_SIGNUP);
  await receiver.report();
  const beganAt = Date.now();
  const startedAt = performance.now();
  const calls = [];
  for (let count = 0; count * everyMs < seconds * 1_000; count += 1) {
    await delay(Math.max(0, startedAt + count * everyMs - performance.now()));
    calls.push(signUp(service, target, `pace-${startedAt}-${count}`));
  }
  await Promise.all(calls);
  const isOfThese = ([at, age]) => at - age >= beganAt;
  const arrivals = [];
  // What has not come within half a minute is counted as late as that.
  for (let waits = 0; waits < 600; waits += 1) {
    arrivals.push(...(await receiver.report()).arrivals.filter(isOfThese));
    if (arrivals.length >= calls.length * EVENTS_PER_SIGNUP) break;
    await delay(50);
  }
  const ages = arrivals.map(([, age]) => age).sort((a, b) => a - b);
  return {
    events: ages.length,
    'p50 ms': quantile(ages, 0.5),
    'p90 ms': quantile(ages, 0.9),
    'p99 ms': quantile(ages, 0.99),
    'max ms': ages.at(-1),
  };
}
