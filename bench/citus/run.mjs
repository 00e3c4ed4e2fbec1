// Signups over many Projects on a Citus cluster, beside plain PostgreSQL and beside their floors. See ../README.md.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { cpuSecondsOfChildren, findBinaries, startCluster } from '../kit/cluster.mjs';
import { drive, warmUp } from '../kit/drive.mjs';
import { deriveFloors, runFloor } from '../kit/floor.mjs';
import { copyProject, FIRST_COPY, makeTemplate } from '../kit/projects.mjs';
import { onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    projects: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '64' },
    clients: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
    shards: { type: 'string', default: '32' },
  },
});
const url = process.env.CITUS_URL;
if (!url) {
  console.error(
    'Set CITUS_URL to an empty database on a Citus coordinator whose nodes all run on this machine.',
  );
  process.exit(2);
}
const [seconds, projects, connections, clients, rounds] = [
  options.seconds,
  options.projects,
  options.connections,
  options.clients,
  options.rounds,
].map(Number);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The given cluster, with the processor time of all its servers. */
async function openCitus() {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = async (text, params) => (await client.query(text, params)).rows;
  await query(
    `alter database ${new URL(url).pathname.slice(1)} set citus.shard_count = ${Number(options.shards)}`,
  );
  const own = `split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`;
  const pids = [
    ...(await query(`select ${own} as pid`)),
    ...(await query('select result as pid from run_command_on_workers($1)', [`select ${own}`])),
  ].map(({ pid }) => Number(pid));
  return {
    url,
    bin: await findBinaries(),
    query,
    cpuSeconds: () => pids.reduce((sum, pid) => sum + cpuSecondsOfChildren(pid), 0),
    coordinatorSeconds: () => cpuSecondsOfChildren(pids[0]),
    stop: () => client.end(),
  };
}

async function prepare(name, cluster, settings = {}) {
  const service = await startService({ ...onPostgres(cluster), ...settings });
  const template = await makeTemplate(service);
  const { same: floor } = await deriveFloors(cluster.query, service, template);
  await copyProject(cluster.query, template, 'f', projects);
  const targets = await copyProject(cluster.query, template, 's', projects);
  await warmUp([service], targets);
  return { name, cluster, service, floor, targets, floors: [], figures: [] };
}

const clusters = [await startCluster(), await openCitus()];
const sides = [
  await prepare('PostgreSQL', clusters[0]),
  await prepare('Citus', clusters[1], { DATABASE_LAYOUT: 'distributed' }),
];
console.log(
  `${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}, ${projects} Projects, ${options.shards} shards`,
);
const range = { low: FIRST_COPY, high: FIRST_COPY + projects - 1 };
// In turn, so that a busy machine slows all.
for (let round = 0; round < rounds; round += 1) {
  for (const side of sides) {
    const { cluster, service, floor, targets } = side;
    side.floors.push(await runFloor(cluster, floor, { clients, seconds: seconds / 2, ...range }));
    const used = () => [cluster.coordinatorSeconds?.() ?? 0, cluster.cpuSeconds()];
    const [coordinatorBefore, allBefore] = used();
    const figures = await drive({ services: [service], cluster, targets, connections, seconds });
    const [coordinatorAfter, allAfter] = used();
    const coordinator = (coordinatorAfter - coordinatorBefore) / (allAfter - allBefore);
    side.figures.push({ ...figures, coordinator });
  }
}
printTable(
  sides.map(({ name, floors, figures }) => {
    const of = (list, read) => median(list.map(read));
    const floorCpuMs = of(floors, ({ cpuMs }) => cpuMs);
    const databaseCpuMs = of(figures, (one) => one.databaseCpuMs);
    const floorRate = of(floors, ({ perSecond }) => perSecond);
    const rate = of(figures, ({ perSecond }) => perSecond);
    return {
      on: name,
      'signups/s': rate.toFixed(0),
      'p50 ms': of(figures, ({ p50 }) => p50).toFixed(1),
      batch: of(figures, ({ batchSize }) => batchSize).toFixed(1),
      'service CPU ms': of(figures, ({ serviceCpuMs }) => serviceCpuMs).toFixed(2),
      'database CPU ms': databaseCpuMs.toFixed(2),
      'of it coordinator': of(figures, ({ coordinator }) => coordinator).toFixed(2),
      'floor/s': floorRate.toFixed(0),
      'floor CPU ms': floorCpuMs.toFixed(2),
      'rate of floor': (rate / floorRate).toFixed(2),
      'database of floor': (floorCpuMs / databaseCpuMs).toFixed(2),
    };
  }),
);
for (const { service } of sides) await service.stop();
for (const cluster of clusters) await cluster.stop();
