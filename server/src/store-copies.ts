import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from './kit/clock.ts';

const PREFIX = 'copy-';
/** No backup takes as long: whoever asked for a copy this old was cut off. */
const LEFT_AFTER_MS = 12 * 3_600_000;

/** Copies of the store beside it in the data folder, for backups. Whoever asked takes them away. */
export interface StoreCopies {
  /** Makes one, and says in which folder. */
  copy(): Promise<{ folder: string }>;
}

/** Call it before anybody can ask for a copy: it takes away all that an earlier process made. */
export async function openStoreCopies(
  dataDir: string,
  copyTo: (folder: string) => Promise<void>,
  clock: Clock,
): Promise<StoreCopies> {
  const remove = (folder: string) => rm(folder, { recursive: true, force: true });

  async function list(): Promise<string[]> {
    const names = await readdir(dataDir);
    return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(dataDir, name));
  }

  /** A younger one may be what another backup is reading. */
  async function removeLeftOnes(): Promise<void> {
    for (const folder of await list()) {
      const about = await stat(folder).catch(() => null);
      if (about && about.mtimeMs <= clock.nowMs() - LEFT_AFTER_MS) await remove(folder);
    }
  }

  for (const folder of await list()) await remove(folder);
  return {
    async copy() {
      await removeLeftOnes();
      const folder = join(dataDir, `${PREFIX}${randomBytes(6).toString('hex')}`);
      try {
        await copyTo(folder);
      } catch (error) {
        // Half a copy takes the room that the store needs: a full disk stops the service.
        await remove(folder);
        throw error;
      }
      return { folder };
    },
  };
}
