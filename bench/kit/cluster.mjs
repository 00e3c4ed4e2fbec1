import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { cleanUpAtExit } from './clean-up.mjs';

const run = promisify(execFile);

/**
 * A PostgreSQL of the benchmark's own: a temporary folder, a free port of the loopback
 * address, its default durability. `pg_stat_statements` is loaded but counts nothing until
 * `countStatements`. It refuses to run as root, so root starts it as `postgres`.
 */
export async function startCluster() {
  const bin = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'goodword-bench-'));
  const ids = userInfo().uid === 0 ? await lookUpUser('postgres') : undefined;
  if (ids) await chown(folder, ids.uid, ids.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const options = { ...ids, cwd: folder };
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    options,
  );
  const settings = [
    'listen_addresses=127.0.0.1',
    'max_connections=200',
    'shared_buffers=512MB',
    'max_wal_size=4GB',
    'shared_preload_libraries=pg_stat_statements',
    'pg_stat_statements.track=none',
  ];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((one) => ['-c', one])],
    { ...options, stdio: 'ignore' },
  );
  cleanUpAtExit({ child: server, folder });
  const ended = once(server, 'exit');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const client = await connect(url, server);
  const query = async (text, params) => (await client.query(text, params)).rows;
  await query('create extension pg_stat_statements');
  const more = [];
  return {
    url,
    port,
    bin,
    query,
    /** A new database in it. */
    async addDatabase(name) {
      await query(`create database ${name}`);
      const address = `postgres://postgres@127.0.0.1:${port}/${name}`;
      const own = await connect(address, server);
      more.push(own);
      return { url: address, query: async (text, params) => (await own.query(text, params)).rows };
    },
    /** CPU seconds that its processes have used so far. */
    cpuSeconds: () => cpuSecondsOfChildren(server.pid),
    /** Bytes that it has written to its write-ahead log so far. */
    walBytes: async () =>
      Number((await query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`))[0].bytes),
    /** Statements that `work` caused since it called its argument, `begin` and `commit` included. */
    async countStatements(work) {
      // For sessions that begin from now on.
      await setTracking(query, 'top');
      await work(() => query('select pg_stat_statements_reset()'));
      const [{ calls }] = await query(
        `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
         where query not like '%pg_stat_statements%'`,
      );
      await setTracking(query, 'none');
      return calls;
    },
    async stop() {
      await Promise.all([client, ...more].map((one) => one.end()));
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function setTracking(query, value) {
  // The command line's settings win over the file's, but not over a database's own.
  await query(`alter role postgres set pg_stat_statements.track = '${value}'`);
  await query(`set pg_stat_statements.track = '${value}'`);
}

async function connect(url, server) {
  const deadline = Date.now() + 30_000;
  while (true) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}

export async function findBinaries() {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest) return join(root, newest, 'bin');
  const { stdout } = await run('pg_config', ['--bindir']);
  return stdout.trim();
}

async function lookUpUser(name) {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

const TICKS_PER_SECOND = 100;

/** Of its living children and of those it has buried; 0 where there is no /proc. */
export function cpuSecondsOfChildren(parent) {
  let ticks = 0;
  for (const name of safely(() => readdirSync('/proc'), [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = safely(() => readFileSync(`/proc/${name}/stat`, 'utf8'), '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(name) === parent) ticks += Number(fields[13]) + Number(fields[14]);
    else if (Number(fields[1]) === parent) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

function safely(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
