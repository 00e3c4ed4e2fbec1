import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { CHILDREN } from './process.ts';

const FOLDER = join(import.meta.dirname, 'children');

/** Of this run. Vitest loads this file anew for every project. */
const run = globalThis as { built?: Promise<unknown> };

/** Builds the programs that tests start, once for all projects of a run. `TEST_BUILT=1` says that the service is built. */
export default async function buildPrograms(): Promise<void> {
  if (process.env.TEST_BUILT !== '1') {
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: join(import.meta.dirname, '../..') });
    process.env.TEST_BUILT = '1';
  }
  run.built ??= buildChildren();
  await run.built;
}

/** Another run may be using them: what has not changed is left as it is. */
async function buildChildren(): Promise<void> {
  const sources = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
  const { outputFiles } = await build({
    write: false,
    entryPoints: sources.map((name) => join(FOLDER, name)),
    outdir: CHILDREN,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  mkdirSync(CHILDREN, { recursive: true });
  for (const { path, contents } of outputFiles) {
    if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
  }
}
