import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that contains `server/`, in a clone and in the image. Sources and built programs are
 * at different depths.
 */
export function findRoot(start: string): string {
  let folder = start;
  while (!existsSync(join(folder, 'server/migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new Error(
        `Neither ${start} nor a folder above it contains server/migrations. Run the programs in a whole copy of the repository or of the image.`,
      );
    }
    folder = parent;
  }
  return folder;
}

const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The path of a file that is shipped with the programs. */
export function shippedFile(path: string): string {
  return join(ROOT, path);
}
