import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { distribute, findDistribution } from '../../src/platform/db/citus.ts';
import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { PROJECT_TABLES } from '../../src/platform/db/tables.ts';
import { ask, createOnCluster, inDatabase } from '../citus-cluster.ts';
import { ADMIN_TOKEN, ROOT_KEY } from '../harness.ts';
import { killAll, launch, runCli, runDistributor, runVerifier, startProgram } from '../process.ts';
import { loadStore, readStores } from '../store-fixture.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url).pathname;
const EVERYTHING = PROJECT_TABLES.length;

let cluster: Awaited<ReturnType<typeof createOnCluster>>;
let database: Database;
let count = 0;
beforeEach(async () => {
  count += 1;
  cluster = await createOnCluster(`goodword_distribute_${process.pid}_${count}`);
  database = createDatabase(
    openPostgres({ connectionString: cluster.url, poolSize: 2, onIdleError: () => undefined }),
  );
});
afterEach(async () => {
  await database.close();
  await cluster.drop();
});
afterAll(killAll);

const env = () => ({
  DATABASE_URL: cluster.url,
  ADMIN_TOKEN,
  ROOT_KEY: ROOT_KEY.toString('base64'),
  LOG_LEVEL: 'info',
});

/** How many rows each table has that no migration counts. */
async function countRows(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of PROJECT_TABLES.filter((name) => name !== 'figures')) {
    const [row] = await database.reads.query<{ count: number }>(
      `select count(*)::integer as count from ${table}`,
    );
    counts.set(table, row?.count ?? 0);
  }
  return counts;
}

/** A folder with the migrations of this program up to one of them, and more. */
function someMigrations(last: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-migrations-'));
  cpSync(MIGRATIONS, folder, {
    recursive: true,
    filter: (path) => !path.endsWith('.sql') || (path.split('/').at(-1) as string) <= last,
  });
  for (const [name, sql] of Object.entries(more)) writeFileSync(join(folder, name), sql);
  return folder;
}

test('a filled store of the baseline is migrated and distributed, with every row, and again changes nothing', async () => {
  await migrate(database, someMigrations('0001_baseline.sql'));
  const newest = readStores().at(-1);
  if (!newest) throw new Error('There is no store to load.');
  await loadStore(database, newest.fixture);
  const before = await countRows();
  expect([...before.values()].filter((rows) => rows > 0).length).toBeGreaterThan(30);

  const first = await runDistributor(['--shards', '4'], env());
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain(`Table ${EVERYTHING} of ${EVERYTHING}: widget_secrets\n`);
  expect(first.stdout).toMatch(/The store is distributed: 4 shards on \d nodes?\. Start/);
  expect(await countRows()).toEqual(before);
  const [local] = await database.reads.query<{ bytes: bigint }>(
    `select pg_relation_size('events')::bigint as bytes`,
  );
  expect(local?.bytes).toBe(0n);
  expect(await runVerifier([], env())).toMatchObject({ code: 0 });

  const again = await runDistributor([], env());
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toMatch(/^The store is distributed already: 4 shards on \d nodes?\.\n$/);
  expect(await countRows()).toEqual(before);
  const other = await runDistributor(['--shards', '8'], env());
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('distributed over 4 shards already');
});

test('what was interrupted is not started on, and the command continues it', async () => {
  await migrate(database);
  await distribute(database, 2, ({ number }) => {
    if (number > 3) throw new Error('interrupted');
  }).catch(() => undefined);
  const refused = await launch(env()).ended;
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`only partly distributed (3 of ${EVERYTHING} tables)`);
  const done = await runDistributor([], env());
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain(`Table 4 of ${EVERYTHING}`);
  expect(done.stdout).not.toContain('Table 3 of');
  expect(await findDistribution(database.reads)).toMatchObject({ missing: [], shards: 2 });
});

test('a migration of a distributed store reaches every shard, and its new tables are distributed', async () => {
  await migrate(database);
  await runDistributor(['--shards', '2'], env());
  await ask(
    cluster.url,
    `insert into project_heads (project_id, feed_position, last_at, numbers)
     select 'p' || n, 0, now(), '{}' from generate_series(1, 10) as n`,
  );
  const later = someMigrations('9', {
    '9000_later.sql': `
      alter table events add column note text;
      create index events_by_note on events (project_id, note);
      drop table spent_clicks;
      create table spent_clicks (project_id text not null, id text not null,
        primary key (project_id, id));
      alter table spent_clicks alter column project_id set (n_distinct = 100);
      -- What was there goes to the shards of its Projects.
      insert into spent_clicks (project_id, id)
        select project_id, max(feed_position)::text from project_heads group by project_id;
      create index spent_clicks_by_id on spent_clicks (project_id, id);`,
  });
  const steps: string[] = [];
  await migrate(database, later, ({ name }) => steps.push(name));
  expect(steps).toEqual(['9000_later.sql']);
  expect(await findDistribution(database.reads)).toMatchObject({
    missing: [],
    uncleared: [],
    shards: 2,
  });
  const [moved] = await database.reads.query('select count(*)::integer as n from spent_clicks');
  expect(moved).toEqual({ n: 10 });
  const nodes = await database.reads.query<{ result: string }>(
    `select result from run_command_on_shards('events',
       $$ select count(*) from pg_attribute where attrelid = '%s'::regclass and attname = 'note' $$)`,
  );
  expect(nodes.map(({ result }) => result)).toEqual(['1', '1']);
});

test('a service on an empty cluster distributes its tables with DATABASE_LAYOUT=distributed', async () => {
  const program = await startProgram({ ...env(), DATABASE_LAYOUT: 'distributed' });
  expect(program.output.stdout).toMatch(/distributing table \d+ of 53/);
  expect(await findDistribution(database.reads)).toMatchObject({ missing: [] });

  const meanwhile = await runDistributor([], env());
  expect(meanwhile).toMatchObject({ code: 2, stdout: '' });
  expect(meanwhile.stderr).toContain('A process of the service uses this database.');
  const doctor = await runCli(['doctor'], { ...env(), GOODWORD_URL: program.url });
  expect(doctor.stdout).toMatch(/nodes: the store is distributed: \d+ shards on \d+ nodes?/);
  await program.kill('SIGTERM');
});

test('a store with projects is not distributed at a start, and the sentence says what is', async () => {
  await migrate(database);
  await ask(
    cluster.url,
    `insert into workspaces (id, name, created_at, updated_at) values ('w', 'Acme', now(), now());
     insert into projects (id, workspace_id, project_key, name, environment, allowed_origins, created_at, updated_at)
       values ('p', 'w', 'k', 'Shop', 'live', '{}', now(), now())`,
  );
  const refused = await launch({ ...env(), DATABASE_LAYOUT: 'distributed' }).ended;
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('the store contains projects and is not distributed');
});

test('a server without Citus, and no server at all, are refused with a sentence', async () => {
  const plain = `goodword_plain_${process.pid}`;
  const url = process.env.TEST_CITUS_URL as string;
  await ask(url, `create database ${plain}`);
  try {
    const refused = await runDistributor([], { DATABASE_URL: inDatabase(url, plain) });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('has no Citus extension');
  } finally {
    await ask(url, `drop database ${plain}`);
  }
  const embedded = await runDistributor([], {});
  expect(embedded.code).toBe(2);
  expect(embedded.stderr).toContain('Set DATABASE_URL to a Citus coordinator.');
  const typo = await runDistributor(['--shards', 'many'], env());
  expect(typo.stderr).toContain('--shards must be a whole number from 1 to 1024.');
});
