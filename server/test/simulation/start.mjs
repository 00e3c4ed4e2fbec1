// Builds the simulation and runs it with these arguments. Usage: see README.md
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';

// Below the server, whose own versions of packages it needs.
const outdir = join(import.meta.dirname, '../../node_modules/.cache/simulation');
const [command, ...rest] = process.argv.slice(2);
const isSabotage = command === 'sabotage';
const name = isSabotage ? 'sabotage' : 'runner';
await build({
  entryPoints: { [name]: join(import.meta.dirname, name, 'main.ts') },
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  sourcemap: 'inline',
});
const args = isSabotage ? rest : process.argv.slice(2);
const file = join(outdir, `${name}.js`);
const child = spawn(process.execPath, ['--enable-source-maps', file, ...args], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
