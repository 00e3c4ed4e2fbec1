import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** Imports a module of the server's sources or tests, which the built programs keep to themselves. */
export async function importSource(path) {
  const outfile = join(ROOT, 'node_modules/.cache/goodword-bench', `${path}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'server', `${path}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return import(pathToFileURL(outfile).href);
}
