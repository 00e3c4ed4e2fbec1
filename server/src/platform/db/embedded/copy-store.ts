import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { STORE } from './folders.ts';

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
