// What is kept, what runs and what it costs, for docs/sizing.md. See ../README.md.
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '../kit/cluster.mjs';
import { makeTemplate, signUp } from '../kit/projects.mjs';
import { callService, onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const { values: options } = parseArgs({
  options: {
    signups: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '30' },
  },
});
const signups = Number(options.signups);
const seconds = Number(options.seconds);
const PURCHASES_PER_SIGNUP = 2;
const BATCH = 500;
/** A table of this size at most is not worth being written anew. */
const SMALL_BYTES = 131_072;
const SIGNUPS_PER_MINUTE = 1_000;

const names = Array.from({ length: signups }, (_, index) => `person-${index}`);
const person = (externalId) => ({ kind: 'individual', externalId });

async function tell(service, target, facts) {
  const { projectId, sourceNamespaceId, key } = target;
  for (let from = 0; from < facts.length; from += BATCH) {
    const events = facts.slice(from, from + BATCH).map((fact) => ({ sourceNamespaceId, ...fact }));
    const body = { projectId, events };
    await callService(service, 'POST', '/v1/track/events/batch', { body, key });
  }
}

/** How much the database, and each table in it, has grown by what `work` keeps. */
async function grownBy(cluster, work) {
  const weigh = async () => {
    const list = () =>
      cluster.query(
        `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      );
    const large = (await list()).filter(({ bytes }) => bytes > SMALL_BYTES);
    if (large.length > 0) {
      await cluster.query(`vacuum (full) ${large.map(({ name }) => name).join(', ')}`);
    }
    return new Map((await list()).map(({ name, bytes }) => [name, bytes]));
  };
  const before = await weigh();
  await work();
  const after = await weigh();
  const byTable = [...after]
    .map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)])
    .filter(([, bytes]) => bytes > 0)
    .toSorted((a, b) => b[1] - a[1]);
  return { bytes: byTable.reduce((sum, [, bytes]) => sum + bytes, 0), byTable };
}

function toRow(kind, count, { bytes, byTable }) {
  const most = byTable.slice(0, 4).map(([name, of]) => `${name} ${Math.round(of / count)}`);
  return { kind, count, 'bytes each': Math.round(bytes / count), 'of these': most.join(', ') };
}

async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

async function measureDisk(cluster, api, target, receiver) {
  const rows = [];
  const keep = async (kind, count, work) => {
    rows.push(toRow(kind, count, await grownBy(cluster, work)));
  };
  const facts = names.map((name) => ({
    type: 'signup',
    refCode: target.code,
    participant: person(name),
  }));
  await keep('signup', signups, () => tell(api, target, facts));
  const orders = names.flatMap((name) =>
    Array.from({ length: PURCHASES_PER_SIGNUP }, (_, index) => ({
      type: 'purchase',
      participant: person(name),
      sourceEventId: `${name}-${index}`,
      purchase: { amountMinor: '4900', currency: 'USD' },
    })),
  );
  await keep('purchase', orders.length, () => tell(api, target, orders));

  const { projectId, key } = target;
  const url = `http://127.0.0.1:${receiver.address().port}/hooks`;
  const body = { projectId, url, fulfillmentMode: 'explicit' };
  await callService(api, 'POST', '/v1/webhook-endpoints', { body, key });
  const more = names.map((name) => ({
    type: 'custom_seen',
    participant: person(name),
    sourceEventId: name,
  }));
  await tell(api, target, more);
  let worker;
  const [{ queued }] = await cluster.query(
    'select count(*)::int as queued from webhook_deliveries',
  );
  await keep('attempt', queued, async () => {
    worker = await startService(settingsOf(cluster, 'worker'));
    for (let left = queued; left > 0; ) {
      await delay(100);
      [{ left }] = await cluster.query('select count(*)::int as left from webhook_deliveries');
    }
  });
  printTable(rows);
  return worker;
}

/** Memory in MiB and processor seconds, as the process itself tells. */
async function look(service) {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const read = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    mebibytes: Math.round(read('process_resident_memory_bytes') / 2 ** 20),
    cpuSeconds: read('process_cpu_seconds_total'),
  };
}

async function measurePace(cluster, processes, target) {
  const { api } = processes;
  const observe = async () => {
    const entries = Object.entries(processes).map(async ([name, one]) => [name, await look(one)]);
    return { ...Object.fromEntries(await Promise.all(entries)), database: cluster.cpuSeconds() };
  };
  const before = await observe();
  const startedAt = performance.now();
  const everyMs = 60_000 / SIGNUPS_PER_MINUTE;
  const calls = [];
  for (let count = 0; count * everyMs < seconds * 1_000; count += 1) {
    await delay(Math.max(0, startedAt + count * everyMs - performance.now()));
    calls.push(signUp(api, target, `pace-${count}`));
  }
  await Promise.all(calls);
  const after = await observe();
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const share = (from, to) => `${(((to - from) / tookSeconds) * 100).toFixed(1)} %`;
  const connections = await cluster.query(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where application_name like 'goodword%' group by 1 order by 1`,
  );
  printTable(
    Object.keys(processes).map((name) => ({
      process: name,
      'of one core': share(before[name].cpuSeconds, after[name].cpuSeconds),
      'MiB before': before[name].mebibytes,
      'MiB after': after[name].mebibytes,
    })),
  );
  console.log(`Database: ${share(before.database, after.database)} of one core.`);
  console.log(
    `Connections: ${connections.map(({ name, count }) => `${count} ${name}`).join(', ')}.`,
  );
}

const settingsOf = (cluster, role) => ({
  ...onPostgres(cluster),
  ROLE: role,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
});

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
const cluster = await startCluster();
const receiver = await startReceiver();
const api = await startService(settingsOf(cluster, 'api'));
const target = await makeTemplate(api, { rewardsPurchases: true });
const worker = await measureDisk(cluster, api, target, receiver);
await measurePace(cluster, { api, worker }, target);
await Promise.all([api.stop(), worker.stop()]);
receiver.closeAllConnections();
receiver.close();
await cluster.stop();
