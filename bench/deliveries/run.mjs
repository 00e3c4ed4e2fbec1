// Deliveries per second beside their floor, and how soon an event is on its way. See ../README.md.
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cleanUpAtExit } from '../kit/clean-up.mjs';
import { startCluster } from '../kit/cluster.mjs';
import { makeTemplate, signUp } from '../kit/projects.mjs';
import { startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';
import { measureIsolation } from './isolation.mjs';
import {
  addEndpoint,
  EVENTS_PER_SIGNUP,
  fill,
  here,
  measurePace,
  settingsOf,
  startReceiver,
} from './parts.mjs';

const { values: options } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '60000' },
    seconds: { type: 'string', default: '15' },
    overdue: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '1' },
    cases: { type: 'string', default: '' },
    only: { type: 'string', default: 'rate,latency,overdue,isolation' },
  },
});
const deliveries = Number(options.deliveries);
const ENDPOINTS_PER_PROJECT = 10;
const FLOOR_CONCURRENCY = 32;
const pace = { seconds: Number(options.seconds), eventsPerSecond: 200 };

/** Until as many have come; how many came is the answer if they stop coming. */
async function arrived(receiver, count) {
  let last = -1;
  for (let quiet = 0; quiet < 100; quiet += 1) {
    const now = await receiver.count();
    if (now >= count) return now;
    if (now !== last) quiet = 0;
    last = now;
    await delay(50);
  }
  return last;
}

async function runFloor(way, receiver, bodies) {
  const child = spawn(process.execPath, [here('./floor.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUpAtExit({ child });
  child.stdin.end(
    JSON.stringify({
      way,
      ports: receiver.ports,
      bodies,
      concurrency: FLOOR_CONCURRENCY,
      seconds: 3,
    }),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const before = await receiver.report();
  const { sent, tookMs, cpuSeconds } = JSON.parse((await lines.next()).value);
  const after = await receiver.report();
  return {
    perSecond: (sent / tookMs) * 1_000,
    cpuMs: ((cpuSeconds + after.cpuSeconds - before.cpuSeconds) / sent) * 1_000,
  };
}

/** A backlog of committed facts, sent by so many worker processes. */
async function measureRate(endpoints, fulfillmentMode, workerCount) {
  const cluster = await startCluster();
  const receiver = await startReceiver(endpoints);
  const api = await startService(settingsOf(cluster, 'api'));
  const targets = [];
  for (let index = 0; index < endpoints; index += 1) {
    if (index % ENDPOINTS_PER_PROJECT === 0) targets.push(await makeTemplate(api));
    const place = { port: receiver.ports[index], path: '/hooks' };
    await addEndpoint(api, targets.at(-1), place, { fulfillmentMode });
  }
  const perSignup = EVENTS_PER_SIGNUP * (endpoints / targets.length);
  await fill(api, targets, Math.ceil(deliveries / perSignup / targets.length));
  const queued = await countQueued(cluster);
  await receiver.keep();
  const workers = await Promise.all(
    Array.from({ length: workerCount }, () => startService(settingsOf(cluster, 'worker'))),
  );
  const cpuSeconds = async () => {
    const scrapes = await Promise.all(workers.map((worker) => worker.metrics()));
    return scrapes.reduce((sum, one) => sum + one.cpuSeconds, 0);
  };
  // What lasts is measured: the first fifth warms up.
  await arrived(receiver, queued / 5);
  const { bodies } = await receiver.report();
  const cpuBefore = { worker: await cpuSeconds(), database: cluster.cpuSeconds() };
  // A granting answer makes an event of its own, which is delivered as well.
  let left = await countQueued(cluster);
  while (left > 0) {
    await delay(100);
    left = await countQueued(cluster);
  }
  const { arrivals } = await receiver.report();
  const cpuAfter = { worker: await cpuSeconds(), database: cluster.cpuSeconds() };
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.stop();
  const times = arrivals.map(([at]) => at);
  const tookMs = times.at(-1) - times[0];
  const perSecond = (times.length / tookMs) * 1_000;
  const some = bodies.slice(0, 500);
  const floors = {
    dispatch: await runFloor('dispatch', receiver, some),
    request: await runFloor('request', receiver, some),
  };
  await receiver.stop();
  await cluster.stop();
  const cpuMs = (from, to) => (((to - from) / times.length) * 1_000).toFixed(2);
  return {
    workers: workerCount,
    endpoints,
    mode: fulfillmentMode,
    deliveries: times.length,
    'per second': perSecond.toFixed(0),
    'worker CPU ms': cpuMs(cpuBefore.worker, cpuAfter.worker),
    'database CPU ms': cpuMs(cpuBefore.database, cpuAfter.database),
    ...Object.fromEntries(
      Object.entries(floors).flatMap(([way, floor]) => [
        [`${way}/s`, floor.perSecond.toFixed(0)],
        [`${way} CPU ms`, floor.cpuMs.toFixed(2)],
        [`ratio to ${way}`, (perSecond / floor.perSecond).toFixed(2)],
      ]),
    ),
  };
}

async function countQueued(cluster) {
  const [{ count }] = await cluster.query('select count(*)::int as count from webhook_deliveries');
  return count;
}

/** As many deliveries that have been due for long, a tenth of them of the endpoint measured. */
async function addOverdue(cluster, target) {
  await cluster.query(
    `insert into webhook_deliveries
       (project_id, queue_id, position, attempts, is_retry, due_at, lease_id)
     select e.project_id, e.queue_id, f.position, 3, true, now() - interval '1 hour', null
     from webhook_endpoints e join feed_events f on f.project_id = e.project_id
     where e.project_id = $1 and f.position <= $2
     on conflict do nothing`,
    [target.projectId, Number(options.overdue) / ENDPOINTS_PER_PROJECT],
  );
}

/** The endpoint that answers at once has got its share of what the filling made. */
async function drained(cluster, receiver) {
  const url = `http://127.0.0.1:${receiver.ports[0]}/hooks`;
  for (let left = 1; left > 0; ) {
    await delay(200);
    const [row] = await cluster.query(
      `select count(*)::int as count from webhook_deliveries d
       join webhook_endpoints e on e.project_id = d.project_id and e.queue_id = d.queue_id
       where e.url = $1 and not d.is_retry`,
      [url],
    );
    left = row.count;
  }
}

async function measureLatency() {
  const cluster = await startCluster();
  const receiver = await startReceiver(1);
  const service = await startService(settingsOf(cluster, 'all'));
  const target = await makeTemplate(service);
  const explicit = { fulfillmentMode: 'explicit' };
  const [port] = receiver.ports;
  await addEndpoint(service, target, { port, path: '/hooks' }, explicit);
  const rows = [];
  for (let count = 0; count < 20; count += 1) await signUp(service, target, `warm-${count}`);
  if (options.only.includes('latency')) {
    rows.push({ backlog: 0, ...(await measurePace(service, target, receiver, pace)) });
  }
  if (options.only.includes('overdue')) {
    // Those beside it take four seconds for each answer, so that their backlog stays.
    for (let count = 1; count < ENDPOINTS_PER_PROJECT; count += 1) {
      await addEndpoint(service, target, { port, path: `/slow-${count}` }, explicit);
    }
    await fill(
      service,
      [target],
      Number(options.overdue) / ENDPOINTS_PER_PROJECT / EVENTS_PER_SIGNUP,
    );
    await addOverdue(cluster, target);
    await drained(cluster, receiver);
    const backlog = await countQueued(cluster);
    rows.push({ backlog, ...(await measurePace(service, target, receiver, pace)) });
  }
  printTable(rows);
  await service.stop();
  await receiver.stop();
  await cluster.stop();
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
if (options.only.includes('rate')) {
  const rows = [];
  for (const endpoints of [1, 20]) {
    for (const mode of ['explicit', 'on_delivery']) {
      for (const workers of options.workers.split(',').map(Number)) {
        rows.push(await measureRate(endpoints, mode, workers));
      }
    }
  }
  printTable(rows);
}
if (/latency|overdue/.test(options.only)) await measureLatency();
if (options.only.includes('isolation')) {
  printTable(await measureIsolation({ seconds: pace.seconds, only: options.cases }));
}
