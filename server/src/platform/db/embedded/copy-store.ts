import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { STORE } from './folders.ts';

/** Of the engine that runs; a copy has none. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts'];

/**
 * Copies the files of a store, while nothing writes to it. File systems that can, share the blocks:
 * then it takes no time and no room. To have the copy on disk is for whoever wanted it.
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
