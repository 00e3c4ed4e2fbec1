// Runs the README's command that installs and starts the service, or the given command, and waits until it is ready.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 120_000;

const command =
  process.argv[2] ?? /^npm .*npm start$/m.exec(readFileSync('README.md', 'utf8'))?.[0];
if (!command) throw new Error('the README has no command that ends with npm start');

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const folder = mkdtempSync(join(tmpdir(), 'goodword-start-'));
const shell = spawn('bash', ['-c', command], {
  detached: true,
  env: { ...process.env, PORT: String(port), DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'pipe'],
});
let output = '';
for (const stream of [shell.stdout, shell.stderr])
  stream.on('data', (chunk) => {
    output += chunk;
  });
let isOver = false;
// Once nothing writes there any more, the service has ended, too.
const ended = once(shell, 'close').then(() => {
  isOver = true;
});
const isReady = () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
const limit = Date.now() + LIMIT_MS;
let ready = false;
while (!ready && !isOver && Date.now() < limit) {
  await delay(200);
  ready = await isReady();
}
if (!isOver) process.kill(-shell.pid, 'SIGTERM');
await ended;
rmSync(folder, { recursive: true, force: true });
if (!ready) throw new Error(`not ready after: ${command}\n${output}`);
