import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { PROJECT_TABLES, SHARED_TABLES } from '../../src/platform/db/tables.ts';
import { openTestDatabase } from '../database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const names = async (sql: string): Promise<string[]> =>
  (await database.reads.query<{ name: string }>(sql)).map((row) => row.name);

const tablesWith = (condition: string) =>
  names(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and ${condition} exists
       (select 1 from pg_attribute a join pg_type t on t.oid = a.atttypid
         where a.attrelid = c.oid and a.attname = 'project_id' and a.attnotnull
           and t.typname = 'text')
     order by 1`,
  );

test('every table is a Project table, with project_id text not null, or a shared one', async () => {
  expect(await tablesWith('')).toEqual(PROJECT_TABLES.toSorted());
  expect(await tablesWith('not')).toEqual(SHARED_TABLES);
});

test('foreign keys of Project tables lead to earlier Project tables, as distributing them needs', async () => {
  const keys = await database.reads.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
     from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  );
  const tables: readonly string[] = PROJECT_TABLES;
  // Distributing drops these two.
  const dropped = (to: string) => to === 'projects';
  const wrong = keys.filter(({ from, to }) =>
    tables.includes(from)
      ? !dropped(to) && !tables.slice(0, tables.indexOf(from)).includes(to)
      : tables.includes(to),
  );
  expect(wrong).toEqual([]);
  expect(keys.length).toBeGreaterThan(20);
});

test('project_id stands in every primary key and unique index of a Project table', async () => {
  const indexes = await names(
    `select i.indexrelid::regclass::text as name from pg_index i
     join pg_attribute p on p.attrelid = i.indrelid and p.attname = 'project_id'
     where (i.indisunique or i.indisprimary) and not (p.attnum = any(i.indkey))`,
  );
  expect(indexes).toEqual([]);
});

test('the planner is told that a Project may be a good part of a table, so that it looks for the key', async () => {
  const tables = await names(
    `select a.attrelid::regclass::text as name from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
     join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
     where a.attname = 'project_id' and 'n_distinct=100' <> all (coalesce(a.attoptions, '{}'))`,
  );
  expect(tables).toEqual([]);
});

test('every Project table has a primary key', async () => {
  const tables = await names(
    `select a.attrelid::regclass::text as name from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
     where a.attname = 'project_id' and not exists
       (select 1 from pg_index i where i.indrelid = a.attrelid and i.indisprimary)`,
  );
  expect(tables).toEqual([]);
});

test('foreign keys of Project tables carry project_id on both sides, and none nulls what it deletes', async () => {
  const keys = await names(
    `select k.conname as name from pg_constraint k
     where k.contype = 'f' and (
       k.confdeltype in ('n', 'd')
       or exists (select 1 from pg_attribute p
         where p.attrelid = k.conrelid and p.attname = 'project_id'
           and not (p.attnum = any(k.conkey)))
       or exists (select 1 from pg_attribute p
         where p.attrelid = k.confrelid and p.attname = 'project_id'
           and not (p.attnum = any(k.confkey))))`,
  );
  expect(keys).toEqual([]);
});

test('nothing refers to a Project’s head, so locking it blocks no insert', async () => {
  const keys = await names(
    `select conname as name from pg_constraint
     where contype = 'f' and confrelid = 'project_heads'::regclass`,
  );
  expect(keys).toEqual([]);
});

test('there are no triggers but those of foreign keys, and no sequences to order by', async () => {
  expect(await names('select tgname as name from pg_trigger where not tgisinternal')).toEqual([]);
  expect(await names(`select relname as name from pg_class where relkind = 'S'`)).toEqual([]);
});

test('times are kept to the millisecond, with their zone', async () => {
  const columns = await names(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and table_name <> 'schema_migrations'
       and (data_type = 'timestamp without time zone'
         or (data_type = 'timestamp with time zone' and datetime_precision <> 3))`,
  );
  expect(columns).toEqual([]);
});
