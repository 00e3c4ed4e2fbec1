import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../src/db/database.ts';
import { EmbeddedDriver } from '../src/db/embedded/embedded-driver.ts';
import { Turns } from '../src/db/embedded/turns.ts';
import { migrate } from '../src/db/migrate.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { startPrivatePostgres } from './private-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the migrated database is that every test file gets a copy of. */
    template: { kind: 'embedded'; file: string } | { kind: 'postgres'; url: string; name: string };
  }
}

interface Prepared {
  readonly template: ProvidedContext['template'];
  readonly remove: () => Promise<void>;
}

/** Of this run. Vitest loads this file anew for every project. */
const run = globalThis as { preparedTemplate?: Promise<Prepared> | undefined };

/** One migrated database for all projects of a run, of which tests get copies. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const prepare = process.env.TEST_DATABASE === 'postgres' ? preparePostgres : prepareEmbedded;
  run.preparedTemplate ??= prepare();
  const { template, remove } = await run.preparedTemplate;
  provide('template', template);
  return async () => {
    if (!run.preparedTemplate) return;
    run.preparedTemplate = undefined;
    await remove();
  };
}

async function prepareEmbedded(): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-test-'));
  const engine = await PGlite.create();
  const turns = new Turns();
  await migrate(createDatabase(new EmbeddedDriver(engine, turns, () => Promise.resolve())));
  const file = join(folder, 'template.tar');
  writeFileSync(file, Buffer.from(await (await engine.dumpDataDir('none')).arrayBuffer()));
  await engine.close();
  return {
    template: { kind: 'embedded', file },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function preparePostgres(): Promise<Prepared> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, stop: () => Promise.resolve() }
    : await startPrivatePostgres();
  const name = `goodword_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const database = createDatabase(
    openPostgres({ connectionString: url.href, poolSize: 1, onIdleError: () => undefined }),
  );
  await migrate(database);
  await database.close();
  return {
    template: { kind: 'postgres', url: server.url, name },
    async remove() {
      await admin.query(`drop database ${name}`);
      await admin.end();
      await server.stop();
    },
  };
}
