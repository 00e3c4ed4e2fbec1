import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../src/platform/db/database.ts';
import { EmbeddedDriver } from '../src/platform/db/embedded/embedded-driver.ts';
import { Mutex } from '../src/platform/db/embedded/mutex.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgres } from '../src/platform/db/postgres.ts';
import { prepareCitus } from './citus-cluster.ts';
import { startPrivatePostgres } from './private-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the migrated database is that every test file gets a copy of. */
    template:
      | { kind: 'embedded'; file: string }
      | {
          kind: 'postgres';
          url: string;
          name: string;
          /** Of the other servers of a Citus cluster: what is done to a database is done on each. */
          workers: readonly string[];
          /** The shards of the cluster: which part of all Projects each has rows of. */
          shards: Readonly<Record<string, number>>;
        };
  }
}

export interface Prepared {
  readonly template: ProvidedContext['template'];
  readonly remove: () => Promise<void>;
}

/** Of this run. Vitest loads this file anew for every project. */
const run = globalThis as { preparedTemplate?: Promise<Prepared> | undefined };

/** One migrated database for all projects of a run, of which tests get copies. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  run.preparedTemplate ??= PREPARE[process.env.TEST_DATABASE ?? 'embedded']?.();
  if (!run.preparedTemplate) throw new Error('TEST_DATABASE is embedded, postgres or citus.');
  const { template, remove } = await run.preparedTemplate;
  provide('template', template);
  return async () => {
    if (!run.preparedTemplate) return;
    run.preparedTemplate = undefined;
    await remove();
  };
}

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));
const ENGINE = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url);
/** Where the embedded template is kept from one run to the next, for as long as the migrations stay the same. */
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/goodword-tests/', import.meta.url));

async function prepareEmbedded(): Promise<Prepared> {
  const file = join(KEPT, `template-${hashMigrations()}.tar`);
  if (!existsSync(file)) {
    rmSync(KEPT, { recursive: true, force: true });
    mkdirSync(KEPT, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, await makeEmbedded());
    renameSync(unfinished, file);
  }
  return { template: { kind: 'embedded', file }, remove: () => Promise.resolve() };
}

function hashMigrations(): string {
  const hash = createHash('sha256').update(readFileSync(ENGINE));
  for (const name of readdirSync(MIGRATIONS).sort()) {
    hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function makeEmbedded(): Promise<Buffer> {
  const engine = await PGlite.create();
  const mutex = new Mutex();
  await migrate(createDatabase(new EmbeddedDriver(engine, mutex, () => Promise.resolve())));
  const dump = await engine.dumpDataDir('none');
  await engine.close();
  return Buffer.from(await dump.arrayBuffer());
}

const PREPARE: Readonly<Record<string, () => Promise<Prepared>>> = {
  embedded: prepareEmbedded,
  postgres: preparePostgres,
  citus: prepareCitus,
};

async function preparePostgres(): Promise<Prepared> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given
    ? { url: given, stop: () => Promise.resolve() }
    : await startPrivatePostgres({ isDurable: false });
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
    template: { kind: 'postgres', url: server.url, name, workers: [], shards: {} },
    async remove() {
      await admin.query(`drop database ${name}`);
      await admin.end();
      await server.stop();
    },
  };
}
