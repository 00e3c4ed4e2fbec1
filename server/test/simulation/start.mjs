// Builds the simulation and runs it with these arguments. Usage: see README.md
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';

// Below the server, whose own versions of packages it needs.
const outfile = join(import.meta.dirname, '../../node_modules/.cache/simulate.js');
await build({
  entryPoints: [join(import.meta.dirname, 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  sourcemap: 'inline',
});
const args = ['--enable-source-maps', outfile, ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
