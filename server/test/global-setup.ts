import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgres } from '../src/platform/db/postgres.ts';
import { prepareCitus } from './citus-cluster.ts';
import { keepEmbeddedTemplate } from './embedded-template.ts';
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

async function prepareEmbedded(): Promise<Prepared> {
  const file = await keepEmbeddedTemplate();
  return { template: { kind: 'embedded', file }, remove: () => Promise.resolve() };
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
