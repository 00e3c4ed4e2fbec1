// Where the time of a start goes after the embedded store was killed. See ../README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fill } from '../deliveries/parts.mjs';
import { cleanUpAtExit } from '../kit/clean-up.mjs';
import { makeTemplate } from '../kit/projects.mjs';
import { embeddedIn } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const { values: options } = parseArgs({
  options: { signups: { type: 'string', default: '100,12000' } },
});
const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

/** Starts the service and keeps when it began which step, in ms from its first instruction. */
async function start(folder) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH, PORT: '0', NODE_ENV: 'production', ...embeddedIn(folder) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAtExit({ child });
  const steps = [];
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve) => {
    lines.on('line', (line) => {
      const what = /"msg":"start: (.*)"/.exec(line)?.[1];
      if (what !== undefined) steps.push([what, performance.now() - startedMs]);
      const address = /^ +Address +(\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return {
    url,
    steps,
    tookMs: performance.now() - startedMs,
    async kill(signal) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

async function sizeOf(folder) {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What lies between a step's line and the next is that step's. */
function durations(steps, tookMs) {
  const begins = [['before the first step', 0], ...steps];
  return begins.map(([what, fromMs], index) => [
    what,
    Math.round((begins[index + 1]?.[1] ?? tookMs) - fromMs),
  ]);
}

for (const signups of options.signups.split(',').map(Number)) {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-bench-'));
  cleanUpAtExit({ folder });
  const filled = await start(folder);
  await fill(filled, [await makeTemplate(filled)], signups);
  await filled.kill('SIGKILL');
  const mebibytes = ((await sizeOf(folder)) / 2 ** 20).toFixed(0);
  const crashed = await start(folder);
  await crashed.kill('SIGTERM');
  const stopped = await start(folder);
  await stopped.kill('SIGTERM');
  console.log(
    `${signups} signups, ${mebibytes} MiB, load ${loadavg()[0].toFixed(1)}: ` +
      `${(crashed.tookMs / 1_000).toFixed(1)} s after SIGKILL, ${(stopped.tookMs / 1_000).toFixed(1)} s after a stop\n`,
  );
  printTable(durations(crashed.steps, crashed.tookMs).map(([step, ms]) => ({ step, ms })));
}
process.exit();
