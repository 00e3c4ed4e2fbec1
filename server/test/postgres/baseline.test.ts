import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASELINE, LAST_EARLIER } from '../../src/platform/db/before-baseline.ts';
import type { Database } from '../../src/platform/db/database.ts';
import {
  assertMigrated,
  assertSameSchema,
  listNewer,
  migrate,
} from '../../src/platform/db/migrate.ts';
import { EARLIER, makeEarlierStore, withEarlier } from '../earlier-store.ts';
import * as earlier from '../fixtures/0.1.0/migrate.ts';
import { ADMIN_TOKEN, ROOT_KEY } from '../harness.ts';
import { killAll, launch, runCli, runVerifier } from '../process.ts';
import { describeSchema, loadStore, readStores, takeStore } from '../store-fixture.ts';
import { type EmptyPostgres, openEmptyPostgres } from './empty-postgres.ts';

const root = mkdtempSync(join(tmpdir(), 'goodword-baseline-'));
const fixture = readStores().find(({ version }) => version === '0.1.0')?.fixture;
const OLD = Object.keys(EARLIER);

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
/** What this version has after the baseline. */
const SINCE = readdirSync(FOLDER)
  .filter((name) => name !== BASELINE)
  .toSorted();
const NEWEST = SINCE.at(-1) as string;

/** The folder of 0.2.0, which has the baseline alone. */
const first = mkdtempSync(join(root, 'first-'));
cpSync(join(FOLDER, BASELINE), join(first, BASELINE));

/** A folder of a later version, which has one migration more. */
const LATER = '9999_color.sql';
const later = mkdtempSync(join(root, 'later-'));
cpSync(FOLDER, later, { recursive: true });
writeFileSync(
  join(later, LATER),
  `-- Runs beside: ${NEWEST}\nalter table workspaces add column color text;\n`,
);

const open: (() => Promise<void>)[] = [];
async function emptyStore() {
  const store = await openEmptyPostgres();
  open.push(store.drop);
  return store;
}
/** One that 0.1.0 has made and filled, before this version has seen it. Others are copies of it: 44 migrations take seconds. */
let filled: EmptyPostgres;
beforeAll(async () => {
  filled = await openEmptyPostgres();
  await makeEarlierStore(filled.database);
  if (fixture) await loadStore(filled.database, fixture);
  await filled.disconnect();
});
async function earlierStore() {
  const store = await openEmptyPostgres(new URL(filled.url).pathname.slice(1));
  open.push(store.drop);
  return store;
}
/** One that has only the first migrations. */
async function unfinishedStore(count: number) {
  const store = await emptyStore();
  await makeEarlierStore(store.database, count);
  return store;
}
afterEach(async () => {
  await killAll();
  for (const drop of open.splice(0)) await drop();
});
afterAll(async () => {
  await filled.drop();
  rmSync(root, { recursive: true, force: true });
});

const listRecorded = (database: Database) =>
  database.reads.query<{ name: string; runsBeside: string | null }>(
    `select name, runs_beside as "runsBeside" from schema_migrations order by name collate "C"`,
  );
const listNames = async (database: Database) =>
  (await listRecorded(database)).map(({ name }) => name);
const readTables = async (database: Database) => JSON.parse(await takeStore(database)).tables;
const env = (url: string) => ({
  DATABASE_URL: url,
  ADMIN_TOKEN,
  ROOT_KEY: ROOT_KEY.toString('base64'),
  LOG_LEVEL: 'info',
});
async function doctor(url: string) {
  const { stdout } = await runCli(['doctor', '--json'], env(url));
  const { findings } = JSON.parse(stdout) as { findings: { check: string; message: string }[] };
  return findings.filter(({ check }) => check === 'migrations');
}

test('the baseline makes the schema that the 44 migrations of 0.1.0 made, and the same rows', async () => {
  const [made, old] = [await emptyStore(), await emptyStore()];
  expect(await migrate(made.database, first)).toEqual([BASELINE]);
  await makeEarlierStore(old.database);
  expect(await migrate(old.database, first)).toEqual([]);
  expect(await describeSchema(old.database, first)).toEqual(
    await describeSchema(made.database, first),
  );
  expect(await readTables(old.database)).toEqual(await readTables(made.database));
});

describe('a store of 0.1.0', () => {
  test('counts as migrated to the baseline before anything is written to it', async () => {
    const { database, url } = await earlierStore();
    await expect(assertMigrated(database, first)).resolves.toBeUndefined();
    expect(await listNewer(database, first)).toEqual([]);
    const missing = `Not migrated yet: ${SINCE.join(', ')}.`;
    await expect(assertMigrated(database)).rejects.toThrow(missing);
    expect(await doctor(url)).toMatchObject([{ level: 'problem' }]);
    expect(await listNames(database)).toEqual(OLD);
  });

  test('keeps every row when the baseline is recorded, and runs none of it', async () => {
    const { database } = await earlierStore();
    const before = await readTables(database);
    expect(Object.keys(before).length).toBeGreaterThan(40);
    const steps: string[] = [];
    expect(await migrate(database, first, ({ name }) => steps.push(name))).toEqual([]);
    expect(steps).toEqual([]);
    expect(await readTables(database)).toEqual(before);
    expect(await listNames(database)).toEqual([BASELINE, ...OLD]);
    await expect(assertMigrated(database, first)).resolves.toBeUndefined();
    expect(await listNewer(database, first)).toEqual([]);
    expect(await migrate(database, first)).toEqual([]);
    expect(await listNames(database)).toEqual([BASELINE, ...OLD]);
  });

  test('is opened by the service, checked by doctor and verified', async () => {
    const { database, url } = await earlierStore();
    const program = launch({ ...env(url), ROLE: 'api' });
    expect((await fetch(`${await program.ready}/readyz`)).status).toBe(200);
    const { code, stdout } = await program.kill('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).not.toContain('newer than this program');
    expect(await listNames(database)).toEqual([BASELINE, ...SINCE, ...OLD].toSorted());
    expect(await doctor(url)).toMatchObject([{ level: 'ok' }]);
    expect((await runVerifier([], { DATABASE_URL: url })).code).toBe(0);
  });

  test('gets the baseline recorded once when several processes start at once', async () => {
    const { database, openAgain } = await earlierStore();
    const processes = [database, openAgain(), openAgain(), openAgain()];
    const applied = await Promise.all(processes.map((one) => migrate(one)));
    expect(applied.flat().toSorted()).toEqual(SINCE);
    expect(await listNames(database)).toEqual([BASELINE, ...SINCE, ...OLD].toSorted());
  });

  const refusal = (lacking: string) =>
    `The database is older than the last schema of Goodword 0.1.0 (it lacks ${lacking}). Start Goodword 0.1.0 on it once, which migrates it, and then this version.`;

  test.each([
    [1, '0002_programs.sql and 42 more'],
    [43, LAST_EARLIER],
  ])(
    'is refused with only the first %i migrations, until 0.1.0 has migrated it',
    async (count, lacking) => {
      const { database } = await unfinishedStore(count);
      for (const check of [migrate, assertMigrated, assertSameSchema]) {
        await expect(check(database)).rejects.toThrow(refusal(lacking));
      }
      expect(await listNames(database)).toEqual(OLD.slice(0, count));
      await makeEarlierStore(database);
      expect(await migrate(database)).toEqual(SINCE);
    },
  );

  test('is refused by every program, also from before migrations said what they run beside', async () => {
    const { database, url } = await unfinishedStore(24);
    await database.transaction((tx) =>
      tx.script('alter table schema_migrations drop column runs_beside'),
    );
    const sentence = refusal('0033_console_mends.sql and 19 more');
    expect(await launch(env(url)).ended).toMatchObject({
      code: 1,
      stderr: `Goodword cannot start.\nThe database of DATABASE_URL: ${sentence}\n`,
    });
    expect(await doctor(url)).toMatchObject([{ level: 'problem', message: sentence }]);
    expect(await runVerifier([], { DATABASE_URL: url })).toMatchObject({
      code: 2,
      stderr: `Goodword cannot verify.\n${sentence}\n`,
    });
  });

  test('is refused when one of its migrations was edited', async () => {
    const { database } = await earlierStore();
    await database.transaction((tx) =>
      tx.query(`update schema_migrations set checksum = 'another' where name = $1`, [LAST_EARLIER]),
    );
    const sentence = 'The migrations of this database are not those of Goodword 0.1.0';
    await expect(migrate(database)).rejects.toThrow(sentence);
    await expect(assertMigrated(database)).rejects.toThrow(sentence);
    expect(await listNames(database)).toEqual(OLD);
  });
});

test('a later migration applies alike to a new store, to one of 0.1.0 and to one that was opened since', async () => {
  const [made, old, opened] = [await emptyStore(), await earlierStore(), await earlierStore()];
  await migrate(made.database);
  await migrate(opened.database);
  for (const { database } of [made, old, opened]) {
    const missing = database === old.database ? SINCE : [];
    expect(await migrate(database, later)).toEqual([...missing, LATER]);
    // This version is one release older than that: it goes on.
    await expect(assertMigrated(database)).resolves.toBeUndefined();
    expect(await listNewer(database)).toEqual([LATER]);
  }
  const schema = await describeSchema(made.database, later);
  expect(schema).toContainEqual(expect.stringMatching(/^workspaces\.color text/));
  expect(await describeSchema(old.database, later)).toEqual(schema);
  expect(await describeSchema(opened.database, later)).toEqual(schema);
});

describe('a program of 0.1.0', () => {
  test('goes on, and starts anew, beside 0.2.0 on the store that it made', async () => {
    const { database } = await earlierStore();
    await migrate(database, first);
    await withEarlier(async (folder) => {
      await expect(earlier.assertMigrated(database, folder)).resolves.toBeUndefined();
      expect(await earlier.listNewer(database, folder)).toEqual([BASELINE]);
      expect(await earlier.migrate(database, folder)).toEqual([]);
    });
    expect(await listRecorded(database)).toContainEqual({
      name: BASELINE,
      runsBeside: LAST_EARLIER,
    });
  });

  test('starts at the same time as 0.2.0, on the store that it made', async () => {
    const { database, openAgain } = await earlierStore();
    await withEarlier(async (folder) => {
      const [old, now] = await Promise.all([
        earlier.migrate(openAgain(), folder),
        migrate(openAgain(), first),
      ]);
      expect([...old, ...now]).toEqual([]);
    });
    expect(await listNames(database)).toEqual([BASELINE, ...OLD]);
  });

  test('refuses a store that the baseline made, and one that a later version has migrated', async () => {
    const [made, old] = [await emptyStore(), await earlierStore()];
    await migrate(made.database);
    await migrate(old.database, later);
    await withEarlier(async (folder) => {
      for (const check of [earlier.migrate, earlier.assertMigrated]) {
        await expect(check(made.database, folder)).rejects.toThrow(
          `newer Goodword (it has ${BASELINE}`,
        );
        await expect(check(old.database, folder)).rejects.toThrow(
          `newer Goodword (it has ${SINCE[0]}`,
        );
      }
    });
  });
});
