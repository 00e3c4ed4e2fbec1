import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { shippedFile } from '../../kit/root.ts';
import { valueParsers } from '../engine-common.ts';
import { DurableFs, type OnFatal } from './durable-fs.ts';
import { STORE, syncFolder, syncTree } from './folders.ts';
import { type StartStep, stepOf } from './start-step.ts';

export interface Store {
  readonly pg: PGlite;
  readonly fs: DurableFs;
}

const UNFINISHED = 'postgres.creating';

/** The default `wal_sync_method` ends in a call that the engine does not implement. */
const DURABLE_SETTINGS = [
  'fsync=on',
  'wal_sync_method=fsync',
  'synchronous_commit=on',
  'full_page_writes=on',
  'TimeZone=UTC',
];

/**
 * How much a function of the engine must do before V8 optimizes it. Node 20 has a tenth of it: then a third of the
 * processor time of a start goes into functions that are hardly used afterwards.
 */
const OPTIMIZE_AFTER = '--wasm-tiering-budget=20000000';

/** Opens the store in a locked data folder; creates it if there is none. */
export async function openStore(
  folder: string,
  onFatal: OnFatal,
  onCreate: () => void = () => undefined,
  onStep: (step: StartStep) => void = () => undefined,
): Promise<Store> {
  const place = join(folder, STORE);
  const unfinished = join(folder, UNFINISHED);
  await rm(unfinished, { recursive: true, force: true });
  if (!existsSync(place)) {
    onCreate();
    // Only the rename makes it a store: one that exists under its name is complete on disk.
    await mkdir(unfinished, { mode: 0o700 });
    const { pg } = await start(unfinished, onFatal, { loadDataDir: await readEmptyStore() });
    await pg.close();
    await syncTree(unfinished);
    await rename(unfinished, place);
    await syncFolder(folder);
  }
  onStep('open');
  const store = await start(place, onFatal, { onStep });
  try {
    onStep('check');
    await checkDurable(store);
  } catch (error) {
    await store.pg.close();
    throw error;
  }
  return store;
}

/** The build makes it, because the engine takes seconds to create one. */
async function readEmptyStore(): Promise<Blob> {
  try {
    const archive = await readFile(shippedFile('server/dist/empty-store.tar.gz'));
    return new Blob([gunzipSync(archive)], { type: 'application/x-tar' });
  } catch (cause) {
    throw new Error('The build of Goodword is damaged. Run npm run build, and start it again.', {
      cause,
    });
  }
}

async function start(
  folder: string,
  onFatal: OnFatal,
  {
    onStep = () => undefined,
    ...content
  }: { readonly onStep?: (step: StartStep) => void; readonly loadDataDir?: Blob } = {},
): Promise<Store> {
  setFlagsFromString(OPTIMIZE_AFTER);
  let complaint = '';
  const fs = new DurableFs(folder, (error) =>
    onFatal(complaint ? new Error(`${error.message} ${complaint}.`, { cause: error }) : error),
  );
  const pg = new PGlite({
    fs,
    ...content,
    parsers: Object.fromEntries(valueParsers),
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...DURABLE_SETTINGS.flatMap((setting) => ['-c', setting]),
    ],
    onStderr: (line) => {
      const step = stepOf(line);
      if (step) onStep(step);
      complaint = /(?:FATAL|PANIC): +(.*)/.exec(line)?.[1] ?? complaint;
      return false;
    },
  });
  try {
    await pg.waitReady;
  } catch (cause) {
    const reason = complaint || (cause as Error).message;
    throw new Error(`The database in ${folder} cannot be opened: ${reason}.`, { cause });
  }
  return { pg, fs };
}

/**
 * The sync hook depends on internals of the engine. If an update moves them, the database must not
 * open: it would seem to work, but lose commits in a power cut.
 */
export async function checkDurable({ pg, fs }: Store): Promise<void> {
  const before = fs.walSyncs;
  await pg.query(`select pg_logical_emit_message(true, 'goodword', 'durability check')`);
  if (fs.walSyncs > before) return;
  throw new Error(
    'The embedded database does not sync its commits to disk, so a power cut could lose them. ' +
      'Install the dependencies exactly as locked (npm ci), or use a PostgreSQL server.',
  );
}
