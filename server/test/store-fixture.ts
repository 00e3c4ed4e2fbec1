import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Database, Tx } from '../src/platform/db/database.ts';
import { listNewer } from '../src/platform/db/migrate.ts';

/** Stores of earlier versions, one for each release. */
export const FIXTURES = new URL('./fixtures/stores/', import.meta.url);

export interface StoreFixture {
  readonly migrations: readonly string[];
  /** Rows as JSON, as PostgreSQL writes them: a number must not pass through JavaScript. */
  readonly tables: Readonly<Record<string, string>>;
}

export function readStores(): { version: string; fixture: StoreFixture }[] {
  return readdirSync(FIXTURES)
    .toSorted()
    .map((name) => ({
      version: name.replace('.json.gz', ''),
      fixture: JSON.parse(gunzipSync(readFileSync(new URL(name, FIXTURES))).toString()),
    }));
}

/** All rows of a store, and the migrations that made it, as text to keep. */
export async function takeStore(database: Database): Promise<string> {
  const migrations = await database.reads.query<{ name: string }>(
    'select name from schema_migrations order by name',
  );
  const tables: Record<string, string> = {};
  for (const name of await listTables(database)) {
    const [row] = await database.reads.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from ${name} t`,
    );
    if (row?.rows) tables[name] = row.rows;
  }
  const fixture: StoreFixture = { migrations: migrations.map(({ name }) => name), tables };
  return `${JSON.stringify(fixture, null, 1)}\n`;
}

/**
 * Puts the rows in, as far as this schema has tables and columns for them. Returns how many each
 * table has got.
 */
export async function loadStore(
  database: Database,
  { tables }: StoreFixture,
  isWanted: (table: string) => boolean = () => true,
): Promise<Map<string, number>> {
  const present = await listTables(database);
  return database.transaction(async (tx) => {
    // Rows come in the order of their tables' names, which foreign keys know nothing of.
    await tx.query('set local session_replication_role = replica');
    const counts = new Map<string, number>();
    for (const [name, rows] of Object.entries(tables)) {
      if (!present.includes(name) || !isWanted(name)) continue;
      // Of what a migration itself has put in, the store has its own.
      await tx.query(`delete from ${name}`);
      const columns = (await listColumns(tx, name)).map((column) => `"${column}"`).join(', ');
      const inserted = await tx.query(
        `insert into ${name} (${columns})
         select ${columns} from json_populate_recordset(null::${name}, $1::json) returning 1`,
        [rows],
      );
      counts.set(name, inserted.length);
    }
    return counts;
  });
}

export async function countRows(
  database: Database,
  tables: Iterable<string>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const name of tables) {
    const rows = await database.reads.query(`select 1 from ${name}`);
    counts.set(name, rows.length);
  }
  return counts;
}

async function listTables(database: Database): Promise<string[]> {
  const rows = await database.reads.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and c.relname <> 'schema_migrations' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function listColumns(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass
       and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/**
 * The whole schema: tables with their options, columns in their order, constraints and indexes, as PostgreSQL
 * itself describes them, without the options that it keeps for itself. Refuses one that is newer than these migrations.
 */
export async function describeSchema(database: Database, folder?: string): Promise<string[]> {
  if ((await listNewer(database, folder)).length > 0) throw new Error('The schema is newer.');
  const rows = await database.reads.query<{ line: string }>(
    `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || (case when a.attnotnull then ' not null' else '' end) || ' ' || a.attgenerated::text
         || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
         || ' collate ' || a.attcollation::regcollation || ' column ' || a.attnum
         || coalesce(' with ' || (select string_agg(option, ', ' order by option)
              from unnest(a.attoptions) as option where option not like 'pg\\_%'), '') as line
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
         and a.attnum > 0 and not a.attisdropped
     union all
     select relname || ' ' || relkind::text || coalesce(' with ' || reloptions::text, '')
       from pg_class where relnamespace = 'public'::regnamespace
     union all
     select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
         || (case when convalidated then '' else ' not valid' end)
       from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select indexdef from pg_indexes where schemaname = 'public'
     order by 1`,
  );
  return rows.map(({ line }) => line);
}
