import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { assertMigrated, listNewer, migrate } from '../../src/platform/db/migrate.ts';
import { verifyAll } from '../../src/programs/verify/verify-all.ts';
import { EARLIER, makeEarlierStore } from '../earlier-store.ts';
import { ADMIN_TOKEN, ROOT_KEY } from '../harness.ts';
import { killAll, launch } from '../process.ts';
import {
  countRows,
  describeSchema,
  loadStore,
  readStores,
  type StoreFixture,
} from '../store-fixture.ts';
import { openEmptyPostgres } from './empty-postgres.ts';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
const ALL = readdirSync(FOLDER).toSorted();
const root = mkdtempSync(join(tmpdir(), 'goodword-migrations-'));
const stores = readStores();
/** As far as older schemas have room for it. */
const newest = stores.at(-1)?.fixture as StoreFixture;

/** Counted by a migration from what there is, or counted there no more. */
const isCounted = (table: string) => table === 'counters' || table === 'figures';

const open: (() => Promise<void>)[] = [];
async function emptyDatabase(): Promise<{ database: Database; url: string }> {
  const { database, url, drop } = await openEmptyPostgres();
  open.push(drop);
  return { database, url };
}

/** A folder with these migrations, as a program of another version would have it. */
function folderOf(names: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(root, 'version-'));
  for (const name of names) cpSync(join(FOLDER, name), join(folder, name));
  for (const [name, sql] of Object.entries(more)) writeFileSync(join(folder, name), sql);
  return folder;
}

let fresh: string[];
beforeAll(async () => {
  const { database } = await emptyDatabase();
  await migrate(database);
  fresh = await describeSchema(database);
});
afterEach(async () => {
  await killAll();
  for (const drop of open.splice(0)) await drop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a store that went through every schema since the baseline keeps its rows and is as one made anew', async () => {
  const { database } = await emptyDatabase();
  const loaded = new Map<string, number>();
  for (const [index, name] of ALL.entries()) {
    const known = ALL.slice(0, index + 1);
    expect(await migrate(database, folderOf(known))).toEqual([name]);
    // Every table has rows from the start, so that what comes later is done to them.
    const added = await loadStore(
      database,
      newest,
      (table) => !loaded.has(table) && !isCounted(table),
    );
    for (const [table, count] of added) loaded.set(table, count);
    expect(await countRows(database, loaded.keys()), name).toEqual(loaded);
  }
  expect(loaded.size).toBeGreaterThan(30);
  expect(await describeSchema(database)).toEqual(fresh);
});

test.each(stores)(
  'a store of $version is migrated, and nothing in it differs',
  async ({ fixture }) => {
    const { database } = await emptyDatabase();
    if (fixture.migrations.some((name) => name in EARLIER)) await makeEarlierStore(database);
    else await migrate(database, folderOf(fixture.migrations));
    const loaded = await loadStore(database, fixture);
    expect([...loaded.keys()].toSorted()).toEqual(Object.keys(fixture.tables).toSorted());
    await migrate(database);
    expect(await describeSchema(database)).toEqual(fresh);
    const lasting = new Map([...loaded].filter(([table]) => !isCounted(table)));
    expect(await countRows(database, lasting.keys())).toEqual(lasting);
    const findings: unknown[] = [];
    let projects = 0;
    await verifyAll(database, null, {
      begin: () => undefined,
      progress: () => undefined,
      recounted: () => undefined,
      end: ({ kept }) => {
        projects += 1;
        findings.push(...kept);
      },
    });
    expect(findings).toEqual([]);
    expect(projects).toBeGreaterThan(1);
    expect(projects).toBe(loaded.get('projects'));
  },
);

describe('a program that is older than the schema', () => {
  const NEXT = '9998_next.sql';
  const newest = ALL.at(-1) as string;
  const expand = (runsBeside: string) => ({
    [NEXT]: `-- Runs beside: ${runsBeside}\nalter table workspaces add column color text;\n`,
  });
  const env = (url: string) => ({
    DATABASE_URL: url,
    ADMIN_TOKEN,
    ROOT_KEY: ROOT_KEY.toString('base64'),
    LOG_LEVEL: 'warn',
  });

  test('goes on, and starts anew, beside a migration that names what it knows', async () => {
    const { database, url } = await emptyDatabase();
    await migrate(database, folderOf(ALL, expand(newest)));
    await expect(assertMigrated(database)).resolves.toBeUndefined();
    expect(await listNewer(database)).toEqual([NEXT]);
    const program = launch(env(url));
    expect((await fetch(`${await program.ready}/readyz`)).status).toBe(200);
    const { code, stdout } = await program.kill('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).toContain(`"newer":["${NEXT}"]`);
  });

  test.each([
    ['one that it does not know', '9997_between.sql'],
    ['none', 'none'],
  ])('neither goes on nor starts beside a migration that names %s', async (_which, named) => {
    const { database, url } = await emptyDatabase();
    await migrate(database, folderOf(ALL, expand(named)));
    const sentence = `The database was migrated by a newer Goodword (it has ${NEXT}). Start that version or newer.`;
    await expect(assertMigrated(database)).rejects.toThrow(sentence);
    const { code, stderr } = await launch(env(url)).ended;
    expect(code).toBe(1);
    expect(stderr).toBe(`Goodword cannot start.\nThe database of DATABASE_URL: ${sentence}\n`);
  });
});
