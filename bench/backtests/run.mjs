// Events per second of a back-test, and what it costs signups at the same time. See ../README.md.
import { mkdtemp } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../kit/cluster.mjs';
import { importSource } from '../kit/import-source.mjs';
import { makeTemplate } from '../kit/projects.mjs';
import { callService, embeddedIn, onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const { values: options } = parseArgs({
  options: {
    /** Of the history; half of them are purchases. */
    events: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '6' },
    database: { type: 'string', default: 'postgres,embedded' },
  },
});
const events = Number(options.events);
const seconds = Number(options.seconds);
const BATCH = 200;
const CLIENTS = 8;
const POLL_MS = 20;

async function fill(service, { projectId, key, sourceNamespaceId, code }) {
  for (let from = 0; from < events; from += BATCH) {
    const batch = [];
    for (let n = from; n < Math.min(from + BATCH, events); n += 2) {
      const participant = { kind: 'individual', externalId: `p${n}` };
      const purchase = { amountMinor: String(1_000 + (n % 977)), currency: 'USD' };
      batch.push({ sourceNamespaceId, type: 'signup', participant, refCode: code });
      batch.push({
        sourceNamespaceId,
        sourceEventId: `o${n}`,
        type: 'purchase',
        participant,
        purchase,
      });
    }
    await callService(service, 'POST', '/v1/track/events/batch', {
      body: { projectId, events: batch },
      key,
    });
  }
}

/** Seconds from its start to its end, without what it waited in the queue. */
async function runBacktest(service, { projectId, programId, key }) {
  const body = { projectId, programId, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const { data } = await callService(service, 'POST', '/v1/backtests', { body, key });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const path = `/v1/backtests/${data.id}?projectId=${projectId}`;
    const shown = (await callService(service, 'GET', path, { key })).data;
    if (shown.status === 'failed') throw new Error(shown.failure);
    if (shown.status !== 'done') continue;
    const { different, notReproduced, compared } = shown.events;
    if (different + notReproduced > 0) throw new Error('What is in force differs.');
    const took = (Date.parse(shown.finishedAt) - Date.parse(shown.startedAt)) / 1_000;
    return { took, compared };
  }
}

let people = 0;
/** Signups per second of a few clients, for some time. */
async function signUp(service, { projectId, key, sourceNamespaceId, code }, forSeconds) {
  const end = performance.now() + forSeconds * 1_000;
  let done = 0;
  const client = async () => {
    while (performance.now() < end) {
      people += 1;
      const participant = { kind: 'individual', externalId: `s${people}` };
      const body = { projectId, sourceNamespaceId, type: 'signup', participant, refCode: code };
      await callService(service, 'POST', '/v1/track/events', { body, key });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return done / forSeconds;
}

/** Alternates, so that both grow the store alike. */
async function compareSignups(service, target) {
  const rates = { alone: 0, beside: 0 };
  await signUp(service, target, 2);
  for (let round = 0; round < 2; round += 1) {
    rates.alone += await signUp(service, target, seconds / 2);
    let isOver = false;
    const tests = (async () => {
      while (!isOver) await runBacktest(service, target);
    })();
    rates.beside += await signUp(service, target, seconds / 2);
    isOver = true;
    await tests;
  }
  return rates;
}

async function measure(name, settings) {
  const service = await startService(settings);
  try {
    const target = await makeTemplate(service, { rewardsPurchases: true });
    await fill(service, target);
    await runBacktest(service, target);
    const { took, compared } = await runBacktest(service, target);
    const { alone, beside } = await compareSignups(service, target);
    return {
      database: name,
      events: compared,
      'events a second': Math.round(compared / took),
      'signups alone': Math.round(alone / 2),
      'beside a back-test': Math.round(beside / 2),
      ratio: (beside / alone).toFixed(2),
    };
  } finally {
    await service.stop();
  }
}

/** The same fold over facts that are in memory already. */
async function measureFold() {
  const { foldInMemory } = await importSource('test/backtest-memory');
  foldInMemory(2_000);
  const startedAt = performance.now();
  foldInMemory(events);
  return Math.round((events * 1_000) / (performance.now() - startedAt));
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
console.log(`In memory, both courses: ${await measureFold()} events a second.\n`);
const rows = [];
if (options.database.includes('postgres')) {
  const cluster = await startCluster();
  rows.push(await measure('postgres', onPostgres(cluster)));
  await cluster.stop();
}
if (options.database.includes('embedded')) {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-bench-'));
  rows.push(await measure('embedded', embeddedIn(folder)));
}
printTable(rows);
