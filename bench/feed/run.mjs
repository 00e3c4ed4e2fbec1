// Pages of the feed over HTTP beside the bare SELECT of the same rows. See ../README.md.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { fillProject } from '../growth/fill.mjs';
import { startCluster } from '../kit/cluster.mjs';
import { makeTemplate } from '../kit/projects.mjs';
import { onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';
import { measureLatency } from './latency.mjs';
import { openBareReader, openHttpReader } from './readers.mjs';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    limit: { type: 'string', default: '500' },
    turn: { type: 'string', default: '25' },
    passes: { type: 'string', default: '2' },
  },
});
const limit = Number(options.limit);
const pagesPerTurn = Number(options.turn);
/** A person's signup leaves five feed events, each of their three purchases two. */
const FEED_EVENTS_PER_EVENT = 11 / 4;

/** Times and processor time of whoever reads in turns. */
function makeRecord() {
  return { times: [], cpuMs: { service: 0, database: 0, reader: 0 } };
}

async function takeTurn(record, observe, readPage) {
  const from = await observe();
  for (let page = 0; page < pagesPerTurn; page += 1) {
    const startedAt = performance.now();
    await readPage();
    record.times.push(performance.now() - startedAt);
  }
  const to = await observe();
  for (const name of Object.keys(record.cpuMs)) record.cpuMs[name] += to[name] - from[name];
}

function toRow(name, { times, cpuMs }, bytesPerPage) {
  const sorted = times.toSorted((a, b) => a - b);
  const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1_000;
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const perPage = (ms) => (ms / times.length).toFixed(2);
  return {
    reader: name,
    'pages/s': (times.length / seconds).toFixed(0),
    'events/s': ((times.length * limit) / seconds).toFixed(0),
    'p50 ms': at(0.5).toFixed(2),
    'p99 ms': at(0.99).toFixed(2),
    'KiB/page': bytesPerPage === null ? '' : (bytesPerPage / 1_024).toFixed(0),
    'service CPU ms': perPage(cpuMs.service),
    'database CPU ms': perPage(cpuMs.database),
    'reader CPU ms': perPage(cpuMs.reader),
  };
}

const total = ({ times }) => times.reduce((sum, ms) => sum + ms, 0);
const totalCpu = ({ cpuMs }) => cpuMs.service + cpuMs.database + cpuMs.reader;
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

async function measure(cluster, service, target, events) {
  const observe = async () => ({
    service: (await service.metrics()).cpuSeconds * 1_000,
    database: cluster.cpuSeconds() * 1_000,
    reader: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
  });
  const turns = Math.floor(events / limit / pagesPerTurn);
  const [bare, http] = [makeRecord(), makeRecord()];
  let bytesPerPage = 0;
  let lastCursor = null;
  // The first pass is for the compiler of the engine and for the caches.
  for (let pass = 0; pass <= Number(options.passes); pass += 1) {
    const bareReader = await openBareReader(cluster, target.projectId, limit);
    const httpReader = openHttpReader(service, target, limit);
    const [bareRecord, httpRecord] = pass === 0 ? [makeRecord(), makeRecord()] : [bare, http];
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn === turns - 1) lastCursor = httpReader.after;
      const both = [
        () => takeTurn(bareRecord, observe, bareReader.readPage),
        () => takeTurn(httpRecord, observe, httpReader.readPage),
      ];
      // Whoever is second finds the rows in the caches: that must not always be the same.
      for (const take of turn % 2 === 0 ? both : both.toReversed()) await take();
    }
    const page = await openPage(service, target);
    bytesPerPage = page.length;
    httpReader.close();
    await bareReader.close();
  }
  printTable([toRow('bare SELECT', bare, null), toRow('feed over HTTP', http, bytesPerPage)]);
  const byTime = (total(bare) / total(http)).toFixed(2);
  const byCpu = (totalCpu(bare) / totalCpu(http)).toFixed(2);
  console.log(`ratio ${byTime}, ratio by CPU ${byCpu}\n`);
  await compareEnds(service, target, lastCursor);
}

/** One page as a consumer sees it, checked for what it should hold. */
async function openPage(service, target) {
  const reader = openHttpReader(service, target, limit);
  const body = await reader.readPage();
  reader.close();
  const { events } = JSON.parse(body);
  if (events.length !== limit) throw new Error(`A page has ${events.length} events.`);
  return body;
}

/** The feed's beginning against its end, page by page in turns. */
async function compareEnds(service, target, lastCursor) {
  const reader = openHttpReader(service, target, limit);
  const times = { first: [], last: [] };
  for (let round = 0; round < 20; round += 1) {
    for (const [name, cursor] of [
      ['first', null],
      ['last', lastCursor],
    ]) {
      reader.goTo(cursor);
      for (let page = 0; page < 10; page += 1) {
        const startedAt = performance.now();
        await reader.readPage();
        times[name].push(performance.now() - startedAt);
      }
    }
  }
  reader.close();
  printTable(
    Object.entries(times).map(([name, all]) => ({
      pages: name,
      'p50 ms': median(all).toFixed(2),
      'last/first': name === 'first' ? '' : (median(all) / median(times.first)).toFixed(2),
    })),
  );
}

/** How long after its answer an event is at a reader that follows the feed. */
async function compareStreams(services, target) {
  const [here, there] = services;
  const rows = [];
  for (const [name, reader] of [
    ['the process that wrote', here],
    ['another process', there],
  ]) {
    const job = { writer: here, reader, target, perSecond: 100, seconds: 10 };
    const times = await measureLatency(job);
    const at = (share) => times[Math.floor(share * times.length)].toFixed(1);
    rows.push({ 'stream at': name, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': at(0.9999) });
  }
  printTable(rows);
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
const cluster = await startCluster();
try {
  const services = [await startService(onPostgres(cluster))];
  const [service] = services;
  try {
    const target = await makeTemplate(service, { rewardsPurchases: true });
    const followed = await makeTemplate(service);
    const asked = Number(options.events);
    const startedAt = Date.now();
    await fillProject(cluster.query, service, target, Math.ceil(asked / FEED_EVENTS_PER_EVENT));
    await cluster.query('vacuum (analyze)');
    const [{ events }] = await cluster.query(
      'select feed_position::int as events from project_heads where project_id = $1',
      [target.projectId],
    );
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    console.log(`Filled with ${events} feed events in ${seconds} s; pages of ${limit}.\n`);
    await measure(cluster, service, target, events);
    services.push(await startService(onPostgres(cluster)));
    await compareStreams(services, followed);
  } finally {
    await Promise.all(services.map((one) => one.stop()));
  }
} finally {
  await cluster.stop();
}
