import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, type Database } from '../src/db/database.ts';
import { EmbeddedDriver } from '../src/db/embedded/embedded-driver.ts';
import { serializers } from '../src/db/embedded/parameters.ts';
import { Turns } from '../src/db/embedded/turns.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { valueParsers } from '../src/db/value-parsers.ts';

let copies = 0;

/** A migrated database of this test's own, on the engine that the run is for. */
export async function openTestDatabase(): Promise<Database> {
  const template = inject('template');
  if (template.kind === 'postgres') {
    const copy = await copyPostgres();
    const driver = openPostgres({
      connectionString: copy.url,
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
  const engine = await PGlite.create({
    loadDataDir: new Blob([readFileSync(template.file)]),
    parsers: Object.fromEntries(valueParsers),
    serializers,
  });
  await engine.exec(`set timezone to 'UTC'`);
  return createDatabase(new EmbeddedDriver(engine, new Turns(), () => engine.close()));
}

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
  const name = `goodword_test_${process.pid}_${copies}`;
  await administer(template.url, `create database ${name} template ${findTemplate(template)}`);
  const url = new URL(template.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(template.url, `drop database ${name} with (force)`),
  };
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
