import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cleanUpAtExit } from './clean-up.mjs';

const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const COUNTER = new URL('./count-round-trips.mjs', import.meta.url).href;

export const ADMIN_TOKEN = randomBytes(32).toString('base64url');
export const ROOT_KEY = randomBytes(32).toString('base64');

/** The settings of a service on this database, as a user would have them. */
export const onPostgres = (cluster) => ({
  DATABASE_URL: cluster.url,
  ADMIN_TOKEN,
  ROOT_KEY,
});

export const embeddedIn = (folder) => ({ DATA_DIR: folder, ADMIN_TOKEN });

/**
 * Starts the built service on a free port and waits until it listens. Its log goes to
 * /dev/null, which costs it the writing. `countsFile` makes it count round trips, `program` is that
 * of another checkout.
 */
export async function startService(
  settings,
  { countsFile = null, nodeArgs = [], program = PROGRAM } = {},
) {
  const child = spawn(process.execPath, [...nodeArgs, program], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      NODE_ENV: 'production',
      ...settings,
      NODE_OPTIONS: countsFile === null ? '' : `--import ${COUNTER}`,
      ...(countsFile === null ? {} : { COUNTS_FILE: countsFile }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAtExit({ child });
  const ended = once(child, 'exit');
  const { url, setupLink } = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      if (text === null) return;
      text += chunk;
      const address = /^ +Address +(\S+)$/m.exec(text)?.[1];
      if (address === undefined) return;
      resolve({ url: address, setupLink: /^ +(\S+\/console\/setup#\S+)$/m.exec(text)?.[1] });
      text = null;
    });
    ended.then(() => reject(new Error('The service ended before it was ready.')));
  });
  return {
    url,
    /** Where the first owner begins. */
    setupLink,
    pid: child.pid,
    metrics: async () => parseMetrics(await (await fetch(`${url}/metrics`)).text()),
    countFromHere: () => child.kill('SIGUSR2'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return countsFile === null ? null : JSON.parse(readFileSync(countsFile, 'utf8'));
    },
  };
}

/** What the table needs of a scrape. */
function parseMetrics(text) {
  const read = (name) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length + 1));
  };
  return {
    cpuSeconds: read('process_cpu_seconds_total'),
    batches: read('goodword_write_batch_commands_count{handler="track"}'),
    commands: read('goodword_write_batch_commands_sum{handler="track"}'),
  };
}

/** As the operator, or with a key. */
export async function callService(service, method, path, { body, key } = {}) {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      ...(key === undefined ? { authorization: `Bearer ${ADMIN_TOKEN}` } : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}
