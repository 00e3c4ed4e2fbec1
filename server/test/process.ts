import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL('../../cli/dist/goodword.js', import.meta.url));

const RECEIVER = fileURLToPath(
  new URL('../../examples/webhook-receiver/src/main.js', import.meta.url),
);
const SHOP = fileURLToPath(new URL('../../examples/quickstart/src/main.js', import.meta.url));
const EXPRESS = fileURLToPath(new URL('../../examples/express/server.js', import.meta.url));
const DEMO = fileURLToPath(new URL('../../examples/quickstart/demo/main.js', import.meta.url));
const BACKUP = fileURLToPath(new URL('../dist/backup.js', import.meta.url));
const RESTORE = fileURLToPath(new URL('../dist/restore.js', import.meta.url));
const VERIFIER = fileURLToPath(new URL('../dist/verify.js', import.meta.url));
const DISTRIBUTOR = fileURLToPath(new URL('../dist/distribute.js', import.meta.url));

export type Env = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A child process, from its start on. */
export interface Child {
  readonly pid: number;
  /** What it has printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
  /** The address that it prints when it listens; rejects if it ends without one. */
  readonly ready: Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Signals it and waits for its end. */
  kill(name: NodeJS.Signals): Promise<Ended>;
}

export interface Program extends Child {
  readonly url: string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends whatever a test has left running. */
export async function killAll(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
}

/** Starts the built program on a free port, with these settings and no other. */
export function launch(env: Env): Child {
  return start([PROGRAM], { PORT: '0', ...env });
}

/** Starts the built program and waits until it listens. */
export async function startProgram(env: Env): Promise<Program> {
  const child = launch(env);
  return { ...child, url: await child.ready };
}

/** Starts the example of a webhook receiver on a free port. */
export function launchReceiver(env: Env): Child {
  return start([RECEIVER], { PORT: '0', ...env });
}

/** Starts the example of a shop on a free port. */
export function launchShop(env: Env): Child {
  return start([SHOP], { SHOP_URL: 'http://127.0.0.1:0', ...env });
}

/** Starts the example of a shop with Express. */
export function launchExpress(env: Env): Child {
  return start([EXPRESS], env);
}

/** Starts what `npm run demo` starts, on free ports; ready at the address of its shop. */
export function launchDemo(env: Env): Child {
  return start([DEMO], env);
}

/** Where the programs made of `test/children` are. */
export const CHILDREN = fileURLToPath(
  new URL('../../node_modules/.cache/goodword-children', import.meta.url),
);

/** Where the program of a file in `test/children` is. */
export function childProgram(name: string): string {
  return join(CHILDREN, `${name}.js`);
}

/** Runs the built command line to its end. */
export function runCli(args: readonly string[], env: Env): Promise<Ended> {
  return launchCli(args, env).ended;
}

/** Starts the built command line. */
export function launchCli(args: readonly string[], env: Env): Child {
  return start([COMMAND_LINE, ...args], env);
}

/** Runs the built verifier to its end. */
export function runVerifier(args: readonly string[], env: Env): Promise<Ended> {
  return start([VERIFIER, ...args], env).ended;
}

export function runDistributor(args: readonly string[], env: Env): Promise<Ended> {
  return start([DISTRIBUTOR, ...args], env).ended;
}

/** Runs the built commands that back up and restore an embedded store. */
export function runBackup(folder: string, env: Env): Promise<Ended> {
  return launchBackup(folder, env).ended;
}
export function launchBackup(folder: string, env: Env): Child {
  return start([BACKUP, folder], env);
}
export function runRestore(folder: string, env: Env, ...more: string[]): Promise<Ended> {
  return start([RESTORE, folder, ...more], env).ended;
}

/**
 * Most programs of the tests end after seconds: the embedded engine is compiled quickly, not for speed, and checked as it
 * is compiled; functions are optimized later than usual; and memory is collected without the threads that make pauses
 * short, because these cost more altogether.
 */
const NODE_FLAGS = [
  '--liftoff-only',
  '--wasm-lazy-validation',
  '--interrupt-budget=1000000',
  '--single-threaded-gc',
];

function start(args: readonly string[], env: Env): Child {
  // Only PATH is handed on: a setting of the machine that runs the tests must change nothing.
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    running.delete(child);
    return { code, signal, ...output };
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
      const address = /^ +(?:Address|Shop) +(\S+)$/m.exec(output.stdout)?.[1];
      if (address !== undefined) resolve(address);
    });
    ended.then(({ code, signal, stderr }) =>
      reject(new Error(`It ended (${code ?? signal}) before it was ready.\n${stderr}`)),
    );
  });
  // Whoever wants to know awaits it; a child that is meant to fail is no unhandled rejection.
  ready.catch(() => undefined);
  return {
    pid: child.pid as number,
    output,
    ended,
    ready,
    signal: (name) => void child.kill(name),
    kill(name) {
      child.kill(name);
      return ended;
    },
  };
}
