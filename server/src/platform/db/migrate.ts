import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { shippedFile } from '../kit/root.ts';
import { awaitsBaseline, BASELINE, LAST_EARLIER, leaveOutEarlier } from './before-baseline.ts';
import { runMigration, waitForMigrations } from './citus.ts';
import type { Database, Tx } from './database.ts';
import type { Queryable } from './driver.ts';

const FOLDER = shippedFile('server/migrations');

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  readonly runsBeside: string | null;
}

/**
 * Declares compatibility with older programs: those that know the named migration keep working on
 * the new schema. Stored in the database, because they do not have the migration's file.
 */
const RUNS_BESIDE = /^-- Runs beside: (\S+)$/m;

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

async function readMigrations(folder: string): Promise<Migration[]> {
  return Promise.all(
    (await listNames(folder)).map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8');
      return {
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        runsBeside: RUNS_BESIDE.exec(sql)?.[1] ?? null,
      };
    }),
  );
}

/**
 * Applies pending migrations, one transaction each. Safe if several processes start at once: each
 * takes the table lock and checks again. Returns the names that this process applied. Refuses a
 * database whose applied migrations were edited, and one that is newer than the program, unless the
 * newer migrations are compatible with this program. In a store of 0.1.0, the
 * baseline is recorded and not run.
 */
export async function migrate(
  database: Database,
  folder = FOLDER,
  onNext: (progress: MigrationProgress) => void = () => undefined,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  await ensureTable(database);
  const applied: string[] = [];
  while (true) {
    const next = await database.transaction(async (tx) => {
      await waitForMigrations(tx);
      await recordBaseline(tx, migrations);
      return applyNext(tx, migrations, onNext);
    });
    if (next === undefined) return applied;
    applied.push(next);
  }
}

/** The migration about to be applied: its number among all that this program knows. */
export interface MigrationProgress {
  readonly name: string;
  readonly number: number;
  readonly of: number;
}

async function recordBaseline(tx: Tx, migrations: readonly Migration[]): Promise<void> {
  const baseline = migrations.find(({ name }) => name === BASELINE);
  if (baseline && awaitsBaseline(await listApplied(tx))) {
    await record(tx, { ...baseline, runsBeside: LAST_EARLIER });
  }
}

async function applyNext(
  tx: Tx,
  migrations: readonly Migration[],
  onNext: (progress: MigrationProgress) => void,
): Promise<string | undefined> {
  const applied = await listApplied(tx);
  const { incompatible } = compare(
    migrations.map(({ name }) => name),
    applied,
  );
  if (incompatible.length > 0) throw newerDatabase(incompatible.join(', '));
  const done = new Map(applied.map((row) => [row.name, row.checksum]));
  for (const [index, migration] of migrations.entries()) {
    const { name, sql, checksum } = migration;
    const known = done.get(name);
    if (known === checksum) continue;
    if (known !== undefined) throw new Error(`Migration ${name} was changed after it was applied.`);
    onNext({ name, number: index + 1, of: migrations.length });
    await runMigration(tx, sql);
    await record(tx, migration);
    return name;
  }
  return undefined;
}

async function record(tx: Tx, { name, checksum, runsBeside }: Applied): Promise<void> {
  await tx.query(
    `insert into schema_migrations (name, checksum, applied_at, runs_beside)
     values ($1, $2, now(), $3)`,
    [name, checksum, runsBeside],
  );
}

async function ensureTable(database: Database): Promise<void> {
  try {
    await database.transaction((tx) =>
      tx.script(`create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null,
        runs_beside text
      )`),
    );
  } catch (error) {
    // Two first starts at once: "if not exists" still collides in the catalogue.
    await listApplied(database.reads).catch(() => {
      throw error;
    });
  }
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
  readonly runsBeside: string | null;
}

/** As JSON, because a store that is too old, which is refused, may lack the last column. */
function listApplied(db: Queryable): Promise<Applied[]> {
  return db.query<Applied>(
    `select name, checksum, to_jsonb(m) ->> 'runs_beside' as "runsBeside"
     from schema_migrations m order by name`,
  );
}

/** Whether anything was ever stored in the database. */
export async function isInUse(database: Database): Promise<boolean> {
  const [row] = await database.reads.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  );
  return row?.exists === true && (await listApplied(database.reads)).length > 0;
}

interface Comparison {
  readonly missing: string[];
  /** Applied migrations that this program does not know. */
  readonly unknown: string[];
  /** Those of them that are not compatible with this program. */
  readonly incompatible: string[];
}

function compare(known: readonly string[], applied: readonly Applied[]): Comparison {
  const unknown = leaveOutEarlier(applied).filter(({ name }) => !known.includes(name));
  // A store of 0.1.0 has the schema of the baseline, also where nothing may be written to say so.
  const has = new Set(applied.map(({ name }) => name));
  if (awaitsBaseline(applied)) has.add(BASELINE);
  return {
    missing: known.filter((name) => !has.has(name)),
    unknown: unknown.map(({ name }) => name),
    incompatible: unknown
      .filter(({ runsBeside }) => runsBeside === null || !known.includes(runsBeside))
      .map(({ name }) => name),
  };
}

/**
 * Throws unless the database responds, has every migration this program knows, and none that is
 * incompatible with it.
 */
export async function assertMigrated(database: Database, folder = FOLDER): Promise<void> {
  const { missing, incompatible } = await compareMigrations(database, folder);
  if (incompatible.length > 0) throw newerDatabase(incompatible.join(', '));
  if (missing.length > 0) throw new Error(`Not migrated yet: ${missing.join(', ')}.`);
}

/** Applied migrations that this program does not know, but is compatible with. */
export async function listNewer(database: Database, folder = FOLDER): Promise<string[]> {
  return (await compareMigrations(database, folder)).unknown;
}

/** Throws unless the database has exactly the schema of this program: neither older nor newer. */
export async function assertSameSchema(database: Database): Promise<void> {
  const { missing, unknown } = await compareMigrations(database, FOLDER);
  if (unknown.length > 0) throw newerDatabase(unknown.join(', '));
  if (missing.length > 0) throw new Error(`Not migrated yet: ${missing.join(', ')}.`);
}

async function compareMigrations(database: Database, folder: string): Promise<Comparison> {
  const [known, applied] = await Promise.all([listNames(folder), listApplied(database.reads)]);
  return compare(known, applied);
}

function newerDatabase(names: string): Error {
  return new Error(
    `The database was migrated by a newer Goodword (it has ${names}). Start that version or newer.`,
  );
}

/**
 * Whether the store is used with the root key of this mark. An empty store accepts any; one from
 * before marks existed accepts the first.
 */
export function isRootKeyOf(database: Database, mark: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    tx.send(
      `insert into root_key_mark (mark) values ($1)
       on conflict (is_only) do update set mark = excluded.mark
       where not exists (select 1 from workspaces)`,
      [mark],
    );
    const [row] = await tx.query<{ mark: string }>('select mark from root_key_mark');
    return row?.mark === mark;
  });
}
