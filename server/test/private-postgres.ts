import { execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from './free-port.ts';

const run = promisify(execFile);

export interface PrivatePostgres {
  readonly url: string;
  /** Ends it, in order or as a crash would, and starts it again on the same port. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** A server that nobody makes crash need not wait for its disk. */
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts a PostgreSQL server of our own in a temporary folder, on a free port. It refuses to run as root, so root
 * starts it as `postgres`. Only a durable one has after a crash what it said it has.
 */
export async function startPrivatePostgres({ isDurable = true } = {}): Promise<PrivatePostgres> {
  const bin = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'goodword-pg-'));
  const asPostgres = userInfo().uid === 0;
  const ids = asPostgres ? await lookUpUser('postgres') : undefined;
  if (ids) await chown(folder, ids.uid, ids.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    {
      ...ids,
      cwd: folder,
    },
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const args = ['-D', data, '-p', String(port), '-k', folder];
  const settings = [
    'listen_addresses=127.0.0.1',
    'max_connections=300',
    ...(isDurable ? [] : FORGETFUL),
  ].flatMap((setting) => ['-c', setting]);
  const start = async () => {
    const server = spawn(join(bin, 'postgres'), [...args, ...settings], {
      ...ids,
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    await waitUntilReady(url, server);
    return { server, ended };
  };
  let running = await start();
  const end = async (signal: NodeJS.Signals) => {
    running.server.kill(signal);
    await running.ended;
  };
  return {
    url,
    async restart(mode) {
      await end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      running = await start();
    },
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilReady(url: string, server: { exitCode: number | null }): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (true) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Where the newest PostgreSQL of this machine has its programs. */
export async function findBinaries(): Promise<string> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest) return join(root, newest, 'bin');
  const { stdout } = await run('pg_config', ['--bindir']).catch(() => {
    throw new Error('PostgreSQL is not installed. Install it, or set TEST_DATABASE_URL.');
  });
  return stdout.trim();
}

async function lookUpUser(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
