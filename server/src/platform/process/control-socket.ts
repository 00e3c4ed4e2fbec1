import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * A socket in the data folder, by which commands ask the running service for what only it can do
 * with the embedded database. Whoever may open the folder may ask: it is its owner's alone.
 */
const NAME = 'control.sock';
/** What fits into an address of this kind everywhere. */
const PATH_BYTES_MAX = 100;
const QUESTION_CHARACTERS_MAX = 1_000;

/** What is told, and what is done once whoever asked has gone: has hung up, or was killed. */
interface Answer {
  readonly told: object;
  onLeave(): Promise<void>;
}
export type Answers = Readonly<Record<string, () => Promise<Answer>>>;

export interface ControlSocket {
  close(): Promise<void>;
}

/** Null where the path is too long for a socket, and on Windows: then commands ask in vain. */
export async function openControlSocket(
  dataDir: string,
  answers: Answers,
): Promise<ControlSocket | null> {
  const path = socketPath(dataDir);
  if (path === null) return null;
  // The folder is locked: what is there was left by a process that was killed.
  await rm(path, { force: true });
  const served = new Map<Socket, Promise<void>>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    served.set(
      socket,
      serve(socket, answers).finally(() => served.delete(socket)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  server.unref();
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of served.keys()) socket.destroy();
      await Promise.all([closed, ...served.values()]);
    },
  };
}

function socketPath(dataDir: string): string | null {
  const path = join(dataDir, NAME);
  return process.platform === 'win32' || Buffer.byteLength(path) > PATH_BYTES_MAX ? null : path;
}

/** Whoever asks may be killed at any moment: that harms nobody else. */
async function serve(socket: Socket, answers: Answers): Promise<void> {
  socket.on('error', () => undefined);
  const left = waitForEnd(socket);
  try {
    const question = await readText(socket);
    socket.resume();
    const ask = answers[question];
    if (!ask) throw new Error('Unknown question.');
    const { told, onLeave } = await ask();
    socket.write(`${JSON.stringify(told)}\n`);
    await left;
    await onLeave();
    socket.end();
  } catch (error) {
    socket.end(`${JSON.stringify({ error: (error as Error).message })}\n`);
  }
}

function waitForEnd(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('end', resolve).once('close', () => resolve());
  });
}

/** Up to the end of the line. */
async function readText(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('\n') || text.length > QUESTION_CHARACTERS_MAX) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

export interface Told {
  readonly told: unknown;
  /** Whether the service is still there: once it is not, what it told does not hold any more. */
  isHeld(): boolean;
  /** Resolves when the service has done what it does then. */
  hangUp(): Promise<void>;
}

/** Asks the service that has the folder; throws what it says is wrong, or that nobody answers. */
export async function askService(dataDir: string, question: string): Promise<Told> {
  const socket = connect(socketPath(dataDir) ?? '');
  socket.on('error', () => undefined);
  let isHeld = true;
  const left = waitForEnd(socket).then(() => {
    isHeld = false;
  });
  socket.write(`${question}\n`);
  const told = JSON.parse(await readText(socket)) as { error?: string };
  socket.resume();
  if (told.error !== undefined) throw new Error(told.error);
  return {
    told,
    isHeld: () => isHeld,
    hangUp() {
      socket.end();
      return left;
    },
  };
}
