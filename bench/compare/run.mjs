// Signups through services built from several checkouts, in turn. See ../README.md.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUpAtExit } from '../kit/clean-up.mjs';
import { startCluster } from '../kit/cluster.mjs';
import { drive, warmUp } from '../kit/drive.mjs';
import { copyProject, makeTemplate } from '../kit/projects.mjs';
import { embeddedIn, onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const DEFAULT_PROJECTS = { postgres: '1,200', embedded: '20' };

const { values: options, positionals: checkouts } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '4,64' },
    projects: { type: 'string' },
    database: { type: 'string', default: 'postgres' },
  },
});
if (checkouts.length < 2) {
  console.error('Name two or more checkouts that are built: npm run bench:compare -- . ../other');
  process.exit(2);
}
const list = (text) => text.split(',').map(Number);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const projectCounts = list(options.projects ?? DEFAULT_PROJECTS[options.database] ?? '');
const projectsMax = Math.max(...projectCounts);
if (!(options.database in DEFAULT_PROJECTS)) {
  console.error('--database is postgres or embedded.');
  process.exit(2);
}
const programOf = (checkout) => join(resolve(checkout), 'server/dist/main.js');

/** All checkouts on one PostgreSQL, each with a database of its own: their schemas may differ. */
async function startOnPostgres(cluster) {
  const all = [];
  for (const [index, checkout] of checkouts.entries()) {
    const database = await cluster.addDatabase(`checkout_${index}`);
    const service = await startService(onPostgres(database), { program: programOf(checkout) });
    const template = await makeTemplate(service);
    const targets = await copyProject(database.query, template, 'c', projectsMax);
    all.push({ service, targets });
  }
  return all;
}

/** Each checkout with an embedded database and Projects of its own. */
async function startEmbedded(checkout) {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-bench-'));
  cleanUpAtExit({ folder });
  const service = await startService(embeddedIn(folder), { program: programOf(checkout) });
  const targets = [];
  for (let n = 0; n < projectsMax; n += 1) targets.push(await makeTemplate(service));
  return { service, targets };
}

const cluster = options.database === 'postgres' ? await startCluster() : null;
let started = [];
try {
  started =
    cluster === null
      ? await Promise.all(checkouts.map(startEmbedded))
      : await startOnPostgres(cluster);
  for (const { service, targets } of started) await warmUp([service], targets);
  const cells = projectCounts.flatMap((projects) =>
    list(options.connections).map((connections) => ({ projects, connections })),
  );
  for (const { projects, connections } of cells) {
    const measured = checkouts.map(() => []);
    // All of them in each round, so that a busy machine slows all alike; each begins a round in its turn, because what
    // one leaves behind (deliveries, a checkpoint) slows the next.
    for (let round = 0; round < Number(options.rounds); round += 1) {
      for (let turn = 0; turn < started.length; turn += 1) {
        const index = (round + turn) % started.length;
        const { service, targets } = started[index];
        const seconds = Number(options.seconds);
        const some = targets.slice(0, projects);
        const one = { services: [service], cluster, targets: some, connections, seconds };
        measured[index].push(await drive(one));
      }
    }
    const figures = measured.map((rounds) => ({
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      service: median(rounds.map(({ serviceCpuMs }) => serviceCpuMs)),
      database: median(rounds.map(({ databaseCpuMs }) => databaseCpuMs)),
      walKb: median(rounds.map(({ walKb }) => walKb)),
    }));
    const [first] = figures;
    const cpu = ({ service, database }) => service + database;
    console.log(`${connections} connections, ${projects} Projects; medians of ${options.rounds}`);
    printTable(
      figures.map((one, index) => ({
        checkout: checkouts[index],
        'signups/s': one.perSecond.toFixed(0),
        'to the first': (one.perSecond / first.perSecond).toFixed(2),
        'service CPU ms': one.service.toFixed(3),
        'database CPU ms': one.database.toFixed(3),
        'CPU to the first': (cpu(one) / cpu(first)).toFixed(2),
        ...(cluster ? { 'WAL KB': one.walKb.toFixed(1) } : {}),
      })),
    );
  }
} finally {
  await Promise.all(started.map(({ service }) => service.stop()));
  await cluster?.stop();
}
