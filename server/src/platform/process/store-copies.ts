import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'copy-';

interface StoreCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Copies of the store beside it in the data folder, for backups. */
export interface StoreCopies {
  copy(): Promise<StoreCopy>;
}

/** Call it before copies can be requested: it removes all copies of an earlier process. */
export async function openStoreCopies(
  dataDir: string,
  copyTo: (folder: string) => Promise<void>,
): Promise<StoreCopies> {
  const remove = (folder: string) => rm(folder, { recursive: true, force: true });

  for (const name of await readdir(dataDir)) {
    if (name.startsWith(PREFIX)) await remove(join(dataDir, name));
  }
  return {
    async copy() {
      const folder = join(dataDir, `${PREFIX}${randomBytes(6).toString('hex')}`);
      try {
        await copyTo(folder);
      } catch (error) {
        // A partial copy uses space that the store needs: a full disk stops the service.
        await remove(folder);
        throw error;
      }
      return { folder, remove: () => remove(folder) };
    },
  };
}
