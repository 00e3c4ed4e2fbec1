import { constants } from 'node:fs';
import { cp, mkdir, open, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** PostgreSQL's files, inside the data folder. */
export const STORE = 'postgres';

/** Creates the data folder, private to its owner and durable across a power cut. */
export async function createFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const top = dirname(resolve(first));
  for (let created = resolve(folder); created !== top; created = dirname(created)) {
    await syncFolder(dirname(created));
  }
}

export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncPath(path, 'r+');
  }
  await syncFolder(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows does not open folders for syncing.
  if (process.platform !== 'win32') await syncPath(folder, 'r');
}

async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Files of the running engine; a copy has none. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts'];

/**
 * Copies the files of a store, while nothing writes to it. File systems that support it share the
 * blocks: then it takes no time and no space. The caller syncs the copy to disk.
 */
export async function copyStore(dataDir: string, target: string): Promise<void> {
  await cp(join(dataDir, STORE), target, {
    recursive: true,
    errorOnExist: true,
    force: false,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !LEFT_OUT.includes(basename(path)),
  });
}
