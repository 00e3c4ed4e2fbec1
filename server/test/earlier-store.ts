import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Database } from '../src/platform/db/database.ts';
import { migrate } from './fixtures/0.1.0/migrate.ts';

const FILE = new URL('./fixtures/0.1.0/migrations.json.gz', import.meta.url);

/** The migrations of 0.1.0 that the baseline replaced: their text by name. */
export const EARLIER = JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as Readonly<
  Record<string, string>
>;

/** Runs `use` with their folder, as 0.1.0 had it, or with the first few of them. */
export async function withEarlier<T>(
  use: (folder: string) => Promise<T>,
  count = Number.POSITIVE_INFINITY,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-earlier-'));
  try {
    for (const [name, sql] of Object.entries(EARLIER).slice(0, count)) {
      writeFileSync(join(folder, name), sql);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a store as 0.1.0 made it, or as an early state of it did, with the first few migrations. */
export async function makeEarlierStore(database: Database, count?: number): Promise<void> {
  await withEarlier((folder) => migrate(database, folder), count);
}
