// What a million Events cost: signups per second and every reading route, before and after.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startCluster } from '../kit/cluster.mjs';
import { drive } from '../kit/drive.mjs';
import { copyProject, makeTemplate, signUp } from '../kit/projects.mjs';
import { onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';
import { fillProject } from './fill.mjs';
import { listReadings, timeReading } from './routes.mjs';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '8' },
    readings: { type: 'string', default: '100' },
  },
});
const seconds = Number(options.seconds);
const readings = Number(options.readings);
/** Enough for full pages: a list that is empty answers faster for another reason. */
const SMALL_EVENTS = 120;

async function measureIngest(service, targets) {
  const rates = {};
  for (const [name, some, connections] of [
    ['hot, 1 connection', targets.slice(0, 1), 1],
    ['hot, 64 connections', targets.slice(0, 1), 64],
    ['1,000 Projects, 64 connections', targets.slice(1), 64],
  ]) {
    rates[name] = (
      await drive({ services: [service], targets: some, connections, seconds })
    ).perSecond;
  }
  return rates;
}

async function measureReadings(service, target) {
  const times = {};
  const paths = await listReadings(service, target);
  for (const [name, path] of Object.entries(paths)) {
    times[name] = await timeReading(service, target, path, readings);
  }
  return times;
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
const cluster = await startCluster();
try {
  const service = await startService(onPostgres(cluster));
  try {
    const template = await makeTemplate(service, { rewardsPurchases: true });
    const targets = await copyProject(cluster.query, template, 's', 1_001);
    const [small] = await copyProject(cluster.query, template, 'a', 1);
    const [large] = await copyProject(cluster.query, template, 'b', 1);
    const [{ id: referrerId }] = await cluster.query(
      `select id from participants where project_id = $1 and external_id = 'referrer'`,
      [template.projectId],
    );
    for (let n = 0; n < SMALL_EVENTS; n += 1) await signUp(service, small, `small-${n}`);
    // Once for the compiler of the engine, once to measure.
    await measureReadings(service, { ...small, referrerId });
    await drive({ services: [service], targets, connections: 64, seconds: 5 });
    const before = {
      ingest: await measureIngest(service, targets),
      readings: await measureReadings(service, { ...small, referrerId }),
    };

    const startedAt = Date.now();
    const filled = await fillProject(cluster.query, service, large, Number(options.events));
    await cluster.query('vacuum (analyze)');
    console.log(
      `Filled with ${filled.events} Events of ${filled.people} people in ${Math.round((Date.now() - startedAt) / 1_000)} s.\n`,
    );
    const [{ size }] = await cluster.query(
      'select pg_size_pretty(pg_database_size(current_database())) as size',
    );
    console.log(`The database takes ${size}.\n`);
    const measureAfter = async (target, ingestTargets) => ({
      ingest: await measureIngest(service, ingestTargets),
      readings: await measureReadings(service, { ...target, referrerId }),
    });
    const smallAfter = await measureAfter(small, targets);
    const after = await measureAfter(large, [large, ...targets.slice(1)]);
    const print = (label, part, digits) =>
      printTable(
        Object.keys(before[part]).map((name) => ({
          [label]: name,
          before: before[part][name].toFixed(digits),
          'small after': smallAfter[part][name].toFixed(digits),
          after: after[part][name].toFixed(digits),
          ratio: (after[part][name] / before[part][name]).toFixed(2),
          'to small': (after[part][name] / smallAfter[part][name]).toFixed(2),
        })),
      );
    print('signups per second', 'ingest', 0);
    print('median ms', 'readings', 2);
  } finally {
    await service.stop();
  }
} finally {
  await cluster.stop();
}
