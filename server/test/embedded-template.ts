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
import { PGlite } from '@electric-sql/pglite';
import { createDatabase } from '../src/platform/db/database.ts';
import { EmbeddedDriver } from '../src/platform/db/embedded/embedded-driver.ts';
import { Mutex } from '../src/platform/db/embedded/mutex.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { shippedFile } from '../src/platform/kit/root.ts';

const MIGRATIONS = shippedFile('server/migrations');
const ENGINE = shippedFile('node_modules/@electric-sql/pglite/package.json');
/** Where the template is kept from one run to the next, for as long as the migrations stay the same. */
const KEPT = shippedFile('node_modules/.cache/goodword-tests');

/** The file of a migrated store of the embedded engine. To make one takes many times as long as to load it. */
export async function keepEmbeddedTemplate(): Promise<string> {
  const file = join(KEPT, `template-${hashMigrations()}.tar`);
  if (!existsSync(file)) {
    rmSync(KEPT, { recursive: true, force: true });
    mkdirSync(KEPT, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, await makeTemplate());
    renameSync(unfinished, file);
  }
  return file;
}

function hashMigrations(): string {
  const hash = createHash('sha256').update(readFileSync(ENGINE));
  for (const name of readdirSync(MIGRATIONS).sort()) {
    hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function makeTemplate(): Promise<Buffer> {
  const engine = await PGlite.create();
  const mutex = new Mutex();
  await migrate(createDatabase(new EmbeddedDriver(engine, mutex, () => Promise.resolve())));
  const dump = await engine.dumpDataDir('none');
  await engine.close();
  return Buffer.from(await dump.arrayBuffer());
}
