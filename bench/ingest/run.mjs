// Signups per second beside their floor. See ../README.md.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUpAtExit } from '../kit/clean-up.mjs';
import { startCluster } from '../kit/cluster.mjs';
import { drive, warmUp } from '../kit/drive.mjs';
import { deriveFloors, runFloor } from '../kit/floor.mjs';
import { copyProject, FIRST_COPY, makeTemplate } from '../kit/projects.mjs';
import { embeddedIn, onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const PROJECTS = 1_000;
const FLOOR_CLIENTS = [1, 16];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '1,16,64,256' },
    processes: { type: 'string', default: '1,2' },
    projects: { type: 'string', default: `1,${PROJECTS}` },
    database: { type: 'string', default: 'postgres,embedded' },
  },
});
const list = (text) => text.split(',').map(Number);
const seconds = Number(options.seconds ?? (options.quick ? 3 : 10));
const connectionCounts = list(options.connections);

async function measurePostgres() {
  const cluster = await startCluster();
  try {
    const services = [await startService(onPostgres(cluster))];
    try {
      const template = await makeTemplate(services[0]);
      const floorProjects = Math.max(...list(options.projects));
      const floors = await deriveFloors(cluster.query, services[0], template);
      await copyProject(cluster.query, template, 'f', floorProjects);
      const targets = await copyProject(cluster.query, template, 's', floorProjects);
      for (const [name, { statements, rows, tables }] of Object.entries(floors)) {
        console.log(
          `The floor "${name}": one transaction of ${statements} statements, ${rows} rows in ${tables} tables.`,
        );
      }
      console.log();
      while (services.length < Math.max(...list(options.processes))) {
        services.push(await startService(onPostgres(cluster)));
      }
      await drive({ services, targets, connections: 16, seconds: options.quick ? 2 : 5 });
      for (const projects of list(options.projects)) {
        await measureSpread(cluster, floors, services, targets.slice(0, projects));
      }
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  } finally {
    await cluster.stop();
  }
}

/** Floors and service take turns, so that a busy machine slows all. */
async function measureSpread(cluster, floors, services, targets) {
  console.log(targets.length === 1 ? 'One hot Project' : `${targets.length} Projects`);
  const same = await openFloor(cluster, floors.same, targets.length);
  const contract = await openFloor(cluster, floors.contract, targets.length);
  await warmUp(services, targets);
  const rows = [];
  for (const processes of list(options.processes)) {
    for (const connections of connectionCounts) {
      const some = services.slice(0, processes);
      const figures = await drive({ services: some, cluster, targets, connections, seconds });
      rows.push({
        ...toRow({ processes, connections, ...figures }),
        ...compare(figures, await same(), ''),
        ...compare(figures, await contract(), 'contract '),
      });
    }
  }
  printTable(rows);
  await measureStatements(cluster, targets);
}

/**
 * Measures a floor with different numbers of clients. Returns a function that measures the best one
 * again, as the mean of the last time and this one.
 */
async function openFloor(cluster, floor, projects) {
  const range = { low: FIRST_COPY, high: FIRST_COPY + projects - 1 };
  const measure = (clients) =>
    runFloor(cluster, floor, { clients, seconds: Math.max(2, Math.ceil(seconds / 2)), ...range });
  const tried = [];
  for (const clients of FLOOR_CLIENTS) tried.push({ clients, ...(await measure(clients)) });
  console.log(
    `Floor of ${floor.rows} rows: ${tried
      .map(
        ({ clients, perSecond, p50 }) =>
          `${perSecond.toFixed(0)}/s with ${clients} (${p50.toFixed(1)} ms)`,
      )
      .join(', ')}`,
  );
  let [last] = tried.toSorted((a, b) => b.perSecond - a.perSecond);
  const { clients } = last;
  return async () => {
    const next = await measure(clients);
    const mean = (name) => (last[name] + next[name]) / 2;
    const floors = { perSecond: mean('perSecond'), cpuMs: mean('cpuMs') };
    last = next;
    return floors;
  };
}

function toRow(cell) {
  return {
    processes: cell.processes,
    connections: cell.connections,
    'req/s': cell.perSecond.toFixed(0),
    'p50 ms': cell.p50.toFixed(1),
    'p99 ms': cell.p99.toFixed(1),
    'max ms': cell.max.toFixed(0),
    batch: cell.batchSize.toFixed(1),
    'service CPU ms': cell.serviceCpuMs.toFixed(2),
    'database CPU ms': cell.databaseCpuMs.toFixed(2),
    'generator CPU ms': cell.generatorCpuMs.toFixed(2),
    ...(Number.isNaN(cell.walKb) ? {} : { 'WAL KB': cell.walKb.toFixed(1) }),
  };
}

function compare({ perSecond, ...cell }, floor, name) {
  const cpuMs = cell.serviceCpuMs + cell.databaseCpuMs + cell.generatorCpuMs;
  return {
    [`${name}floor/s`]: floor.perSecond.toFixed(0),
    [`${name}floor CPU ms`]: floor.cpuMs.toFixed(2),
    [`${name}ratio`]: (perSecond / floor.perSecond).toFixed(2),
    [`${name}ratio by CPU`]: (floor.cpuMs / cpuMs).toFixed(2),
  };
}

/** Counted in a run of its own, since counting costs. */
async function measureStatements(cluster, targets) {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-bench-'));
  const rows = [];
  for (const connections of [1, 64]) {
    const countsFile = join(folder, `${connections}.json`);
    let counts;
    let metrics;
    const statements = await cluster.countStatements(async (countFromHere) => {
      const service = await startService(onPostgres(cluster), { countsFile });
      await warmUp([service], targets);
      const before = await service.metrics();
      service.countFromHere();
      await countFromHere();
      await drive({ services: [service], targets, connections, seconds: 1 });
      const after = await service.metrics();
      metrics = {
        commands: after.commands - before.commands,
        batches: after.batches - before.batches,
      };
      counts = await service.stop();
    });
    const per = (count, unit) => (count / unit).toFixed(1);
    rows.push({
      connections,
      'statements per request': per(statements, metrics.commands),
      'statements per transaction': per(statements, metrics.batches),
      'round trips per request': per(counts.roundTrips, metrics.commands),
      'round trips per transaction': per(counts.roundTrips, metrics.batches),
    });
  }
  await rm(folder, { recursive: true });
  printTable(rows);
}

async function measureEmbedded() {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-bench-'));
  cleanUpAtExit({ folder });
  try {
    const service = await startService(embeddedIn(join(folder, 'data')));
    try {
      const template = await makeTemplate(service);
      const rows = [];
      for (const connections of connectionCounts.filter((count) => count <= 64)) {
        const work = { services: [service], targets: [template], connections, seconds };
        rows.push(toRow({ processes: 1, connections, ...(await drive(work)) }));
      }
      console.log('Embedded database, one Project');
      printTable(rows);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
if (options.database.includes('postgres')) await measurePostgres();
if (options.database.includes('embedded')) await measureEmbedded();
