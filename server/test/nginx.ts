import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

const CONFIG = new URL('../../deploy/nginx/goodword.conf', import.meta.url);
/** Debian has it where only root's PATH looks. */
const PATH = `${process.env.PATH}:/usr/sbin`;

export interface Nginx {
  readonly url: string;
  /** Where it listens for what should have come by TLS. */
  readonly plainUrl: string;
  /** What it had to say of errors so far. */
  errors(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts an nginx of our own in a temporary folder, with the configuration that users get in front
 * of these addresses. Only what must differ on this machine does: ports, and that there is no TLS.
 */
export async function startNginx(addresses: readonly string[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-nginx-'));
  const [plainPort, port] = [await findFreePort(), await findFreePort()];
  const site = toLocal(await readFile(CONFIG, 'utf8'), [plainPort, port], addresses);
  await writeFile(join(folder, 'goodword.conf'), site);
  await writeFile(join(folder, 'nginx.conf'), wrap(folder));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  await waitUntilListening(port, child, () => said);
  return {
    url: `http://127.0.0.1:${port}`,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    errors: () => readFile(join(folder, 'error.log'), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', killAtExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function toLocal(text: string, ports: readonly [number, number], addresses: readonly string[]) {
  const servers = / +server 10\.0\.0\.11:8080(.*;\n) +server 10\.0\.0\.12:8080.*\n/;
  const lines = addresses.map((address) => `  server ${address}$1`);
  const changes: [string | RegExp, string][] = [
    [servers, lines.join('')],
    ['listen 80;', `listen 127.0.0.1:${ports[0]};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${ports[1]};`],
    [/^ +ssl_.*\n/gm, ''],
  ];
  return changes.reduce((before, [from, to]) => {
    const after = before.replace(from, to);
    if (after === before) throw new Error(`goodword.conf has no ${from} any more.`);
    return after;
  }, text);
}

/** What a machine's own nginx.conf has around the file. */
const wrap = (folder: string) => `
  ${userInfo().uid === 0 ? 'user root;' : ''}
  daemon off;
  worker_processes 2;
  pid ${folder}/nginx.pid;
  error_log ${folder}/error.log info;
  events { worker_connections 512; }
  http {
    access_log off;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    include ${folder}/goodword.conf;
  }
`;

async function waitUntilListening(
  port: number,
  child: ChildProcess,
  said: () => string,
): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (true) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    if (failure || child.exitCode !== null) {
      throw new Error(`nginx did not start. ${failure?.message ?? said()}`);
    }
    await delay(20);
  }
}
