import pg from 'pg';
import { distribute } from '../src/platform/db/citus.ts';
import { createDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgres } from '../src/platform/db/postgres.ts';
import type { Prepared } from './global-setup.ts';

/** Few, because every test file gets tables of its own. */
const SHARDS = 4;

interface ClusterDatabase {
  /** Of the database, at the coordinator. */
  readonly url: string;
  readonly servers: readonly string[];
  drop(): Promise<void>;
}

/**
 * An empty database on every node of the cluster of `TEST_CITUS_URL`. The address is a coordinator's, with a
 * user who may create databases and extensions there and on every node, by the same name and password.
 */
export async function createOnCluster(name: string): Promise<ClusterDatabase> {
  const url = process.env.TEST_CITUS_URL;
  if (!url) throw new Error('TEST_CITUS_URL names no Citus coordinator.');
  const nodes = await ask<{ host: string; port: number }>(
    url,
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by 1, 2',
  );
  const workers = nodes.map(({ host, port }) => withAddress(url, host, port));
  if (workers.length === 0) throw new Error('The coordinator of TEST_CITUS_URL has no workers.');
  const servers = [...workers, url];
  for (const server of servers) {
    await ask(server, `create database ${name}`);
    await ask(inDatabase(server, name), 'create extension citus');
  }
  const own = inDatabase(url, name);
  const { hostname, port } = new URL(url);
  await ask(own, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`);
  for (const node of nodes) await ask(own, `select citus_add_node('${node.host}', ${node.port})`);
  return {
    url: own,
    servers,
    async drop() {
      for (const server of servers.toReversed()) {
        await ask(server, `drop database ${name} with (force)`);
      }
    },
  };
}

/** A migrated and distributed database on the cluster, which tests get copies of. */
export async function prepareCitus(): Promise<Prepared> {
  const name = `goodword_template_${process.pid}`;
  const { url: own, servers, drop } = await createOnCluster(name);
  const database = createDatabase(
    openPostgres({ connectionString: own, poolSize: 1, onIdleError: () => undefined }),
  );
  await migrate(database);
  await distribute(database, SHARDS, () => undefined);
  await database.close();
  const shards = await ask<{ id: string; part: string }>(
    own,
    'select shardid as id, shardminvalue as part from pg_dist_shard',
  );
  const parts = [...new Set(shards.map(({ part }) => part))];
  // A database that anybody is connected to cannot be copied, and Citus keeps a process in each.
  for (const server of servers) {
    await ask(server, `alter database ${name} allow_connections false`);
    await ask(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  }
  return {
    template: {
      kind: 'postgres',
      url: servers.at(-1) as string,
      name,
      workers: servers.slice(0, -1),
      shards: Object.fromEntries(shards.map(({ id, part }) => [id, parts.indexOf(part)])),
    },
    remove: drop,
  };
}

/** Runs one statement on a server. */
export async function ask<R extends pg.QueryResultRow>(
  url: string,
  statement: string,
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(statement)).rows;
  } finally {
    await client.end();
  }
}

function withAddress(url: string, host: string, port: number): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  return other.href;
}

export function inDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
