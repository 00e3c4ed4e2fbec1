import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url));

/**
 * Starts the service as a process of its own, with the embedded database in `folder`. `ready` has its
 * address and set-up link once it listens, or why it does not; `ended` resolves when it has ended.
 * @param {{ folder: string, port: number, adminToken: string }} options
 */
export function launchGoodword({ folder, port, adminToken }) {
  const child = spawn(process.execPath, [PROGRAM], {
    // Nothing else of the environment: a demo must not touch the database of its DATABASE_URL, nor mail
    // made-up partners through its SMTP_URL, whose links the demo follows itself.
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: folder,
      ADMIN_TOKEN: adminToken,
      LOG_LEVEL: 'warn',
      // Two months of made-up clicks and applications come from one address.
      CLICKS_PER_MINUTE: '100000',
      LINK_VISITS_PER_MINUTE: '100000',
      APPLICATIONS_PER_MINUTE: '1000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  // However the demo ends, the service ends with it.
  process.once('exit', () => child.kill());

  let printed = '';
  let complaints = '';
  /** @type {Promise<{ address: string, setupLink: string }>} */
  const ready = new Promise((resolve, reject) => {
    let isReady = false;
    child.stdout.setEncoding('utf8').on('data', (text) => {
      // From then on it prints warnings only, which are for whoever tries it.
      if (isReady) process.stderr.write(text);
      else printed += text;
      const address = /^ +Address +(\S+)$/m.exec(printed)?.[1];
      const setupLink = /(\S+\/console\/setup#\S+)/.exec(printed)?.[1];
      if (!address || !setupLink) return;
      isReady = true;
      resolve({ address, setupLink });
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      if (isReady) process.stderr.write(text);
      else complaints += text;
    });
    ended.then(() => reject(new Error(complaints.trim() || 'Goodword ended at once.')), reject);
  });
  return {
    ready,
    ended,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
