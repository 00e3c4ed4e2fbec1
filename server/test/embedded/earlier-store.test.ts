import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { BASELINE } from '../../src/platform/db/before-baseline.ts';
import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { assertSameSchema, migrate } from '../../src/platform/db/migrate.ts';
import { openTestDatabase } from '../database.ts';
import { EARLIER, makeEarlierStore } from '../earlier-store.ts';
import { killAll, launch, runVerifier, startProgram } from '../process.ts';
import { describeSchema, loadStore, readStores, takeStore } from '../store-fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'goodword-earlier-store-'));
const ROOT_KEY = Buffer.alloc(32, 7).toString('base64');
const fixture = readStores().find(({ version }) => version === '0.1.0')?.fixture;
afterEach(killAll);
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function use<T>(folder: string, body: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase(await openEmbedded(folder));
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}
const without = (tables: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(tables).filter(([name]) => !names.includes(name)));
/** Rows of each table as text, in any order, with the columns that they had before: migrations add some. */
const rowsOf = (tables: Readonly<Record<string, string>>, before = tables) =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => {
      const columns = Object.keys(JSON.parse(before[name] ?? '[]')[0] ?? {});
      const cut = (row: Record<string, unknown>) =>
        JSON.stringify(columns.map((column) => [column, row[column]]));
      return [name, JSON.parse(rows).map(cut).toSorted()];
    }),
  );
const read = async (database: Database) => JSON.parse(await takeStore(database));

test('an embedded store of 0.1.0 is refused until it has all migrations; then it keeps every row, is as one made anew, and is opened', async () => {
  const DATA_DIR = join(root, 'data');
  await use(DATA_DIR, (database) => makeEarlierStore(database, 1));
  expect(await launch({ DATA_DIR, ROOT_KEY }).ended).toMatchObject({
    code: 1,
    stderr:
      'Goodword cannot start.\nThe database is older than the last schema of Goodword 0.1.0 (it lacks 0002_programs.sql and 42 more). Start Goodword 0.1.0 on it once, which migrates it, and then this version.\n',
  });

  const before = await use(DATA_DIR, async (database) => {
    await makeEarlierStore(database);
    if (fixture) await loadStore(database, fixture);
    return read(database);
  });
  expect(before.migrations).toEqual(Object.keys(EARLIER));
  expect(Object.keys(before.tables).length).toBeGreaterThan(40);

  const schema = await use(DATA_DIR, async (database) => {
    expect(await read(database)).toEqual(before);
    const applied = await migrate(database);
    const { migrations, tables } = await read(database);
    const known = [BASELINE, ...applied, ...Object.keys(EARLIER)];
    expect(migrations).toEqual(known.toSorted());
    const counted = ['counters', 'figures', 'programs', 'search_keys'];
    expect(without(rowsOf(tables, before.tables), counted)).toEqual(
      without(rowsOf(before.tables), counted),
    );
    // Everybody with a name or an address is found, and nobody else.
    const searched = JSON.parse(tables.search_keys ?? '[]') as { participant_id: string }[];
    const people = JSON.parse(tables.participants) as Readonly<Record<string, string | null>>[];
    const named = people.filter(
      ({ name, email, partner_id, deleted_at }) =>
        (name ?? email ?? partner_id) !== null && deleted_at === null,
    );
    expect(new Set(searched.map(({ participant_id }) => participant_id))).toEqual(
      new Set(named.map(({ id }) => id)),
    );
    expect(named.length).toBeGreaterThan(0);
    await expect(assertSameSchema(database)).resolves.toBeUndefined();
    return describeSchema(database);
  });
  // That what was counted is counted still.
  expect((await runVerifier([], { DATA_DIR, ROOT_KEY })).code).toBe(0);
  const made = await openTestDatabase();
  expect(schema).toEqual(await describeSchema(made));
  await made.close();

  const { url, kill } = await startProgram({ DATA_DIR, ROOT_KEY });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await kill('SIGTERM')).code).toBe(0);
});
