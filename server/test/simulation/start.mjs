// Builds the simulation and runs it with these arguments. Usage: see README.md
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';

// Below the server, whose own versions of packages it needs.
const outdir = join(import.meta.dirname, '../../node_modules/.cache/simulation');
const entry = (path) => join(import.meta.dirname, path);
await build({
  entryPoints: {
    main: entry('runner/main.ts'),
    player: entry('runner/player.ts'),
    preload: entry('authority/preload.ts'),
  },
  outdir,
  bundle: true,
  // What the preload replaces and what a player uses is one module.
  splitting: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  sourcemap: 'inline',
});
const args = ['--enable-source-maps', join(outdir, 'main.js'), ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
