import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { copyPostgres } from '../database.ts';
import { killAll, type Program, runVerifier, startProgram } from '../process.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
let copy: { url: string; drop(): Promise<void> };
let database: Database;
let program: Program;
beforeAll(async () => {
  copy = await copyPostgres();
  database = createDatabase(
    openPostgres({ connectionString: copy.url, poolSize: 1, onIdleError: () => undefined }),
  );
  program = await startProgram({
    ADMIN_TOKEN,
    ROOT_KEY: Buffer.alloc(32, 3).toString('base64'),
    LOG_LEVEL: 'error',
    DATABASE_URL: copy.url,
  });
});
afterAll(async () => {
  await killAll();
  await database.close();
  await copy.drop();
});

async function operate(path: string, body: object): Promise<string> {
  const response = await fetch(program.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { data: { id: string } }).data.id;
}

test('it needs no more than the address, and runs beside the service', async () => {
  const env = { DATABASE_URL: copy.url };
  expect(await runVerifier([], env)).toMatchObject({
    code: 0,
    stdout: '0 projects verified: nothing differs.\n',
  });
  const workspaceId = await operate('/v1/workspaces', { name: 'Acme' });
  const project = { workspaceId, name: 'Shop', environment: 'sandbox' };
  const [first, second] = [
    await operate('/v1/projects', project),
    await operate('/v1/projects', project),
  ];
  expect(await runVerifier([], env)).toMatchObject({
    code: 0,
    stdout: '2 projects verified: nothing differs.\n',
  });
  await database.transaction((tx) =>
    tx.query('update project_heads set feed_position = 7 where project_id = $1', [first]),
  );
  expect(await runVerifier([], env)).toMatchObject({
    code: 1,
    stdout: `${first} head ${first}: feedPosition is 7, should be 0\n2 projects verified: 1 difference.\n`,
  });
  expect((await runVerifier(['--project', second], env)).code).toBe(0);
});

test('a head without a Project is found', async () => {
  await database.transaction((tx) =>
    tx.query(
      `insert into project_heads (project_id, feed_position, last_at, numbers)
       values ('prj_lost', 0, '2026-11-15T00:00:00Z', '{}')`,
    ),
  );
  const { code, stdout } = await runVerifier(['--project', 'prj_lost'], { DATABASE_URL: copy.url });
  expect(code).toBe(1);
  expect(stdout).toContain('prj_lost project prj_lost: row is nothing, should be one row');
});

test('a database of an older or a newer Goodword ends with 2', async () => {
  const rename = (from: string, to: string) =>
    database.transaction((tx) =>
      tx.query('update schema_migrations set name = $2 where name = $1', [from, to]),
    );
  await rename('0001_baseline.sql', '9999_future.sql');
  const newer = await runVerifier([], { DATABASE_URL: copy.url });
  expect(newer.code).toBe(2);
  expect(newer.stderr).toContain('migrated by a newer Goodword (it has 9999_future.sql)');
  await rename('9999_future.sql', '0001_baseline.sql');
  const url = new URL(copy.url);
  url.pathname = '/postgres';
  const empty = await runVerifier([], { DATABASE_URL: url.href });
  expect(empty).toMatchObject({ code: 2, stdout: '' });
  expect(empty.stderr).toContain('The database has no Goodword store yet');
});

test('a database that does not answer ends with 2, without its password', async () => {
  const ended = await runVerifier([], { DATABASE_URL: 'postgres://me:secret-word@127.0.0.1:1/x' });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/^Goodword cannot verify\.\n.*ECONNREFUSED/);
  expect(ended.stderr).not.toContain('secret-word');
});
