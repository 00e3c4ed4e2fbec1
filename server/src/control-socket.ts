import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * A socket in the data folder, by which commands ask the running service for what only it can do
 * with the embedded database. Whoever may open the folder may ask: it is its owner's alone.
 */
const NAME = 'control.sock';
/** What fits into an address of this kind everywhere. */
const PATH_BYTES_MAX = 100;
const QUESTION_CHARACTERS_MAX = 1_000;

export type Answers = Readonly<Record<string, () => Promise<object>>>;

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
  const server = createServer((socket) => {
    answer(socket, answers).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  server.unref();
  return { close: () => closeServer(server) };
}

function socketPath(dataDir: string): string | null {
  const path = join(dataDir, NAME);
  return process.platform === 'win32' || Buffer.byteLength(path) > PATH_BYTES_MAX ? null : path;
}

async function answer(socket: Socket, answers: Answers): Promise<void> {
  const question = await readText(socket);
  const reply = await (
    answers[question]?.() ?? Promise.reject(new Error('Unknown question.'))
  ).then(
    (told) => told,
    (error: Error) => ({ error: error.message }),
  );
  socket.end(`${JSON.stringify(reply)}\n`);
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

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Asks the service that has the folder; throws what it says is wrong, or that nobody answers. */
export async function askService(dataDir: string, question: string): Promise<unknown> {
  const path = socketPath(dataDir);
  const socket = connect(path ?? '');
  socket.write(`${question}\n`);
  const reply = JSON.parse(await readText(socket)) as { error?: string };
  if (reply.error !== undefined) throw new Error(reply.error);
  return reply;
}
