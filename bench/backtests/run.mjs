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
    /** Of each stored history; half of them are purchases. */
    events: { type: 'string', default: '20000' },
    /** One of so many people was referred: a history for each. */
    referred: { type: 'string', default: '1,5' },
    seconds: { type: 'string', default: '6' },
    database: { type: 'string', default: 'postgres,embedded' },
  },
});
const events = Number(options.events);
const seconds = Number(options.seconds);
const BATCH = 200;
const CLIENTS = 8;
/** Seldom: each question is work that a back-test makes way for. */
const POLL_MS = 250;

/** Tells what is measured now. Not on the standard output, which has the results. */
const report = (text) => process.stderr.write(`${new Date().toISOString()} ${text}\n`);

async function fill(service, { projectId, key, sourceNamespaceId, code }, referredEvery) {
  for (let from = 0; from < events; from += BATCH) {
    const batch = [];
    for (let n = from; n < Math.min(from + BATCH, events); n += 2) {
      const participant = { kind: 'individual', externalId: `p${n}` };
      const purchase = { amountMinor: String(1_000 + (n % 977)), currency: 'USD' };
      const refCode = (n / 2) % referredEvery === 0 ? { refCode: code } : {};
      batch.push({ sourceNamespaceId, type: 'signup', participant, ...refCode });
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

/** Starts one; returns functions that wait for it. */
async function startBacktest(service, { projectId, programId, key }) {
  const body = { projectId, programId, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const { data } = await callService(service, 'POST', '/v1/backtests', { body, key });
  const path = `/v1/backtests/${data.id}`;
  const waitFor = async (isReached) => {
    for (;;) {
      const read = `${path}?projectId=${projectId}`;
      const shown = (await callService(service, 'GET', read, { key })).data;
      if (shown.status === 'failed') throw new Error(shown.failure);
      if (isReached(shown)) return shown;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  return {
    running: () => waitFor(({ status }) => status !== 'queued'),
    done: () => waitFor(({ status }) => status === 'done' || status === 'cancelled'),
    cancel: () =>
      callService(service, 'POST', `${path}/cancel`, { body: { projectId }, key }).catch(() => {}),
  };
}

/** Seconds and processor time from its start to its end, without what it waited in the queue. */
async function runBacktest(service, target, cluster) {
  const measure = async () => ({
    process: (await service.metrics()).cpuSeconds,
    database: cluster?.cpuSeconds() ?? 0,
  });
  const before = await measure();
  const shown = await (await startBacktest(service, target)).done();
  const after = await measure();
  const { different, notReproduced, compared } = shown.events;
  if (different + notReproduced > 0) throw new Error('What is in force differs.');
  const took = (Date.parse(shown.finishedAt) - Date.parse(shown.startedAt)) / 1_000;
  const [cpu, databaseCpu] = [after.process - before.process, after.database - before.database];
  return { took, cpu, databaseCpu, compared };
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

/** Alternates, so that both grow the store alike. Beside a back-test means that one runs all the time. */
async function compareSignups(service, target) {
  const rates = { alone: 0, beside: 0 };
  await signUp(service, target, 2);
  for (let round = 0; round < 2; round += 1) {
    rates.alone += await signUp(service, target, seconds / 2);
    let isOver = false;
    let current = await startBacktest(service, target);
    await current.running();
    const tests = (async () => {
      while (!isOver) {
        await current.done();
        if (!isOver) current = await startBacktest(service, target);
      }
    })();
    rates.beside += await signUp(service, target, seconds / 2);
    isOver = true;
    await current.cancel();
    await tests;
  }
  return rates;
}

/** Until V8 has compiled all of it, a back-test takes several times as long. */
const WARM_UP = 4;

async function measure({ name, settings, cluster, referredEvery }) {
  const service = await startService(settings);
  try {
    const label = `${name}, one of ${referredEvery}`;
    report(`${label}: storing ${events} events`);
    const target = await makeTemplate(service, { rewardsPurchases: true });
    await fill(service, target, referredEvery);
    report(`${label}: back-tests`);
    for (let run = 0; run < WARM_UP; run += 1) await runBacktest(service, target, cluster);
    const { took, cpu, databaseCpu, compared } = await runBacktest(service, target, cluster);
    report(
      `${label}: ${compared} events in ${took.toFixed(1)} s; signups alone and beside back-tests`,
    );
    const { alone, beside } = await compareSignups(service, target);
    const perEvent = (seconds) => Math.round((seconds * 1e6) / compared);
    return {
      database: name,
      'referred one of': referredEvery,
      events: compared,
      'events/s': Math.round(compared / took),
      'process µs': perEvent(cpu),
      'database µs': cluster ? perEvent(databaseCpu) : '',
      'events/s of a core': Math.round(compared / (cpu + databaseCpu)),
      'signups/s alone': Math.round(alone / 2),
      beside: Math.round(beside / 2),
      ratio: (beside / alone).toFixed(2),
    };
  } finally {
    await service.stop();
  }
}

/** One of so many people was referred, in a store of which most customers came by themselves. */
const MOST_BY_THEMSELVES = 5;
const ROUNDS = 9;
/** More than the first of them take until V8 has compiled the fold. */
const FOLDED = 20_000;
const PEOPLE = 2_000;
const EVERY = 50n;
/** Every fiftieth purchase reaches it once more: each of a person's milestones is looked at with their next purchase. */
const MILESTONE = {
  calculation: 'fixed',
  rateBps: null,
  fixedAmountMinor: 100n,
  currency: 'USD',
  currencyExponent: 2,
  milestone: { measure: 'purchases', at: EVERY, repeat: true },
};
/** A proposal of which every purchase differs. */
const PROPOSED_BPS = 1_100;

/**
 * The same fold over facts that are in memory already, by its processor time, and what it keeps for a history of the same
 * people that is five times as long.
 */
function measureFold(foldInMemory) {
  return {
    all: rateOf(() => foldInMemory(FOLDED, PROPOSED_BPS)),
    few: rateOf(() =>
      foldInMemory(FOLDED, PROPOSED_BPS, FOLDED, { referredEvery: MOST_BY_THEMSELVES }),
    ),
    kept: [FOLDED, 5 * FOLDED].map(keep),
  };

  function keep(howMany) {
    const { bytes, replay } = weigh(() => foldInMemory(howMany, PROPOSED_BPS, PEOPLE));
    if (replay.events.compared !== howMany) throw new Error('Not every event was compared.');
    return (bytes / 1e6).toFixed(1);
  }
}

/** Events per second of processor time. */
function rateOf(fold) {
  fold();
  const rates = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    fold();
    const { user, system } = process.cpuUsage(before);
    return Math.round((FOLDED * 1e6) / (user + system));
  }).sort((a, b) => a - b);
  return { median: rates[ROUNDS >> 1], fastest: rates.at(-1) };
}

function weigh(fold) {
  const heapUsed = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heapUsed();
  const replay = fold();
  return { bytes: heapUsed() - before, replay };
}

const FEW = 500;
const SHORT = 4_000;

/** Bytes for one more of each that is kept, in both courses: of a history of the same people that is twice as long. */
function measureKept(foldInMemory) {
  const more = (shape, sizes, every = 1n) => {
    const [one, other] = sizes.map(
      ([events, people]) => weigh(() => foldInMemory(events, PROPOSED_BPS, people, shape)).bytes,
    );
    return Math.round(((other - one) * Number(every)) / SHORT);
  };
  const longer = [SHORT, 2 * SHORT].map((howMany) => [howMany, FEW]);
  const largest = [2 * SHORT, 4 * SHORT].map((howMany) => [howMany, howMany / 2]);
  return {
    'a person': more({}, largest),
    'a purchase that changes no more': more({ refundAfter: 10 }, longer),
    'a purchase before its last refund': more({ refundAfter: 1e9 }, longer),
    'a purchase if reviews can open': more({ canReview: true }, longer),
    'a purchase that reaches a milestone': more({ terms: MILESTONE }, longer, EVERY),
  };
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
report('the fold in memory');
const { foldInMemory } = await importSource('test/backtest-memory');
const { all, few, kept } = measureFold(foldInMemory);
const print = (of, { median, fastest }) =>
  console.log(
    `In memory, both courses, ${of}: ${median} events per second of processor time, ${fastest} at best.`,
  );
print('everybody was referred', all);
print(`one of ${MOST_BY_THEMSELVES} was referred`, few);
console.log(
  `Kept of ${PEOPLE} people: ${kept.join(' MB, and of five times as many events ')} MB.\n`,
);
for (const [what, bytes] of Object.entries(measureKept(foldInMemory))) {
  console.log(`Kept of ${what}: ${bytes} bytes.`);
}
console.log();
const rows = [];
for (const referredEvery of options.referred.split(',').map(Number)) {
  if (options.database.includes('postgres')) {
    const cluster = await startCluster();
    const settings = onPostgres(cluster);
    rows.push(await measure({ name: 'postgres', settings, cluster, referredEvery }));
    await cluster.stop();
  }
  if (options.database.includes('embedded')) {
    const folder = await mkdtemp(join(tmpdir(), 'goodword-bench-'));
    const settings = embeddedIn(folder);
    rows.push(await measure({ name: 'embedded', settings, referredEvery }));
  }
}
if (rows.length > 0) printTable(rows);
