import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { EmbeddedDriver } from '../src/platform/db/embedded/embedded-driver.ts';
import { Mutex } from '../src/platform/db/embedded/mutex.ts';
import { valueParsers } from '../src/platform/db/engine-common.ts';
import { openPostgres } from '../src/platform/db/postgres.ts';
import { PROJECT_TABLES, SHARED_TABLES } from '../src/platform/db/tables.ts';

let copies = 0;

/** An empty migrated database of this test's own, on the engine that the run is for. */
export async function openTestDatabase(): Promise<Database> {
  const template = inject('template');
  if (template.kind === 'embedded') return openEmbedded();
  const copy = await copyPostgres();
  const driver = openPostgres({
    connectionString: template.workers.length > 0 ? withLog(copy.url) : copy.url,
    poolSize: 10,
    onIdleError: () => undefined,
  });
  const database = createDatabase(driver);
  return {
    ...database,
    async close() {
      await database.close();
      await copy.drop();
    },
  };
}

/** The coordinator tells its client what it sends to the nodes: see `citus/watch-shards.ts`. */
function withLog(address: string): string {
  const url = new URL(address);
  url.searchParams.set('options', '-c citus.log_remote_commands=on');
  return url.href;
}

interface Engine {
  readonly pg: PGlite;
  readonly mutex: Mutex;
  /** Of its schema when it was new. */
  readonly shape: string;
}

/** The engines of this worker that no test has. To empty one takes a tenth of what a new one takes. */
const idle: Engine[] = [];

async function openEmbedded(): Promise<Database> {
  const engine = idle.pop() ?? (await createEngine());
  const giveBack = () => engine.mutex.run(() => emptyEngine(engine));
  return createDatabase(new EmbeddedDriver(engine.pg, engine.mutex, giveBack));
}

/** A migrated engine in memory, for its caller alone. */
export async function createEngine(): Promise<Engine> {
  const template = inject('template');
  if (template.kind !== 'embedded') throw new Error('This test needs the embedded database.');
  const pg = await PGlite.create({
    loadDataDir: new Blob([readFileSync(template.file)]),
    parsers: Object.fromEntries(valueParsers),
  });
  await pg.exec(`set timezone to 'UTC'`);
  return { pg, mutex: new Mutex(), shape: await readShape(pg) };
}

/** One whose schema a test has changed is of no use to others. */
async function emptyEngine(engine: Engine): Promise<void> {
  const { pg, shape } = engine;
  if ((await readShape(pg)) !== shape) return pg.close();
  await pg.exec(EMPTY);
  idle.push(engine);
}

async function readShape(pg: PGlite): Promise<string> {
  const { rows } = await pg.query(
    `select (select count(*) from pg_class), (select count(*) from pg_constraint),
       (select count(*) from pg_trigger), (select count(*) from pg_proc)`,
    [],
    { rowMode: 'array' },
  );
  return String(rows[0]);
}

/**
 * Empties a database for the next test file. To delete a few rows takes less than to truncate, which
 * makes new files; to truncate keeps what was deleted from piling up.
 */
export async function emptyDatabase(database: Database): Promise<void> {
  const template = inject('template');
  if (template.kind === 'postgres' && template.workers.length > 0) return emptyCluster(database);
  await database.transaction((tx) => tx.script(EMPTY));
}

/** On a cluster nobody can switch off foreign keys: rows go before what they refer to. */
async function emptyCluster(database: Database): Promise<void> {
  const shared = SHARED_TABLES.filter((name) => !KEPT_TABLES.includes(name));
  for (const table of PROJECT_TABLES.toReversed()) {
    await database.transaction((tx) => tx.script(`delete from ${table}`));
  }
  await database.transaction((tx) =>
    tx.script(`truncate ${shared.join(', ')};
      update console_setup set token_hash = null where token_hash is not null`),
  );
}

/** Migrations leave a row in these. */
const KEPT_TABLES = ['schema_migrations', 'console_setup'];

const EMPTY = `
  do $$
  declare
    name text;
    is_used boolean;
  begin
    set local session_replication_role = replica;
    for name in select relname from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname not in (${KEPT_TABLES.map((name) => `'${name}'`).join()})
    loop
      execute format('select exists (select from %I)', name) into is_used;
      if is_used and pg_relation_size(name::regclass) < 500000 then
        execute format('delete from %I', name);
      elsif is_used then
        execute format('truncate %I cascade', name);
      end if;
    end loop;
    update console_setup set token_hash = null where token_hash is not null;
  end $$`;

export interface PostgresCopy {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty migrated PostgreSQL database, for tests that start processes on it. */
export function copyPostgres(): Promise<PostgresCopy> {
  return createPostgres(({ name }) => name);
}

/** A PostgreSQL database without any table, unless another is named for it to be a copy of. */
export async function createPostgres(
  findTemplate: (migrated: { name: string }) => string = () => 'template0',
): Promise<PostgresCopy> {
  const template = inject('template');
  if (template.kind !== 'postgres') throw new Error('This test needs PostgreSQL.');
  copies += 1;
  const name = `goodword_test_${process.pid}_${threadId}_${copies}`;
  // The coordinator's last: it must not look for databases of the others that are not there yet.
  const servers = [...template.workers, template.url];
  for (const server of servers) {
    await administer(server, `create database ${name} template ${findTemplate(template)}`);
  }
  const url = new URL(template.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      for (const server of servers.toReversed()) await dropDatabase(server, name);
    },
  };
}

const IN_USE = '55006';

/** Citus connects to every database of its nodes again and again, also while one is being dropped. */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await administer(server, `drop database ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || attempt === 20) throw error;
      await delay(100);
    }
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
