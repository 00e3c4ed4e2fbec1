import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Database, Tx } from './database.ts';
import type { Queryable } from './driver.ts';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${FOLDER}/${name}`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings the schema up to date, one transaction per migration. Safe when several
 * processes start at once: each takes the table lock and looks again. Returns the names
 * that this process applied. Refuses a database that is newer than the program, or whose
 * applied migrations were edited.
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrations = await readMigrations();
  await ensureTable(database);
  const applied: string[] = [];
  while (true) {
    const next = await database.transaction(async (tx) => {
      // Another process may be at a long migration: wait for it, however long.
      await tx.query('set local lock_timeout = 0');
      await tx.query('lock table schema_migrations in exclusive mode');
      return applyNext(tx, migrations);
    });
    if (next === undefined) return applied;
    applied.push(next);
  }
}

async function applyNext(tx: Tx, migrations: readonly Migration[]): Promise<string | undefined> {
  const done = await listApplied(tx);
  for (const name of done.keys()) {
    if (!migrations.some((migration) => migration.name === name)) {
      throw newerDatabase(name);
    }
  }
  for (const { name, sql, checksum } of migrations) {
    const known = done.get(name);
    if (known === checksum) continue;
    if (known !== undefined) throw new Error(`Migration ${name} was changed after it was applied.`);
    await tx.script(sql);
    await tx.query(
      'insert into schema_migrations (name, checksum, applied_at) values ($1, $2, now())',
      [name, checksum],
    );
    return name;
  }
  return undefined;
}

async function ensureTable(database: Database): Promise<void> {
  try {
    await database.transaction((tx) =>
      tx.script(`create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null
      )`),
    );
  } catch (error) {
    // Two first starts at once: "if not exists" still collides in the catalogue.
    await listApplied(database.reads).catch(() => {
      throw error;
    });
  }
}

async function listApplied(source: Queryable): Promise<Map<string, string>> {
  const rows = await source.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Throws unless the database answers and has every migration this program knows. */
export async function assertMigrated(database: Database): Promise<void> {
  const { missing } = await compareMigrations(database);
  if (missing.length > 0) throw new Error(`Not migrated yet: ${missing.join(', ')}.`);
}

/** Throws unless the database is exactly as this program makes it: neither older nor newer. */
export async function assertSameSchema(database: Database): Promise<void> {
  const { missing, unknown } = await compareMigrations(database);
  if (unknown.length > 0) throw newerDatabase(unknown.join(', '));
  if (missing.length > 0) throw new Error(`Not migrated yet: ${missing.join(', ')}.`);
}

async function compareMigrations(
  database: Database,
): Promise<{ missing: string[]; unknown: string[] }> {
  const [migrations, done] = await Promise.all([
    (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')),
    listApplied(database.reads),
  ]);
  return {
    missing: migrations.filter((name) => !done.has(name)),
    unknown: [...done.keys()].filter((name) => !migrations.includes(name)),
  };
}

function newerDatabase(names: string): Error {
  return new Error(
    `The database was migrated by a newer Goodword (it has ${names}). Start that version or newer.`,
  );
}
