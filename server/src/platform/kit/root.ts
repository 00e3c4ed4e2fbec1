import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that contains `server/`, in a clone and in the image. Sources and built programs are
 * at different depths.
 */
function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'server/migrations'))) folder = dirname(folder);
  return folder;
}

const ROOT = findRoot();

/** The path of a file that is shipped with the programs. */
export function shippedFile(path: string): string {
  return join(ROOT, path);
}
