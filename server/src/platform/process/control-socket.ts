import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * A socket in the data folder, by which commands ask the running service for what only it can do
 * with the embedded database. Access to the folder, which only its owner has, is the permission.
 */
const NAME = 'control.sock';
/** Maximum length of a socket address on all platforms. */
const PATH_BYTES_MAX = 100;
const REQUEST_CHARACTERS_MAX = 1_000;

/** The response, and the cleanup once the client has disconnected or was killed. */
interface Answer {
  readonly response: object;
  onLeave(): Promise<void>;
}
export type Answers = Readonly<Record<string, () => Promise<Answer>>>;

export interface ControlSocket {
  close(): Promise<void>;
}

/** Null if the path is too long for a socket, and on Windows: then commands cannot reach the service. */
export async function openControlSocket(
  dataDir: string,
  answers: Answers,
): Promise<ControlSocket | null> {
  const path = socketPath(dataDir);
  if (path === null) return null;
  // The folder is locked, so an existing socket was left by a killed process.
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

/** The client may be killed at any moment: that must not affect anything else. */
async function serve(socket: Socket, answers: Answers): Promise<void> {
  socket.on('error', () => undefined);
  const left = waitForEnd(socket);
  try {
    const request = await readText(socket);
    socket.resume();
    const ask = answers[request];
    if (!ask) throw new Error('Unknown request.');
    const { response, onLeave } = await ask();
    socket.write(`${JSON.stringify(response)}\n`);
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
    if (text.includes('\n') || text.length > REQUEST_CHARACTERS_MAX) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

export interface ServiceResponse {
  readonly response: unknown;
  /** Whether the service is still connected: if not, its response is no longer valid. */
  isConnected(): boolean;
  /** Resolves when the service has cleaned up. */
  disconnect(): Promise<void>;
}

/** Asks the service that owns the folder; throws its error, or that nothing responds. */
export async function askService(dataDir: string, request: string): Promise<ServiceResponse> {
  const socket = connect(socketPath(dataDir) ?? '');
  socket.on('error', () => undefined);
  let isConnected = true;
  const left = waitForEnd(socket).then(() => {
    isConnected = false;
  });
  socket.write(`${request}\n`);
  const response = JSON.parse(await readText(socket)) as { error?: string };
  socket.resume();
  if (response.error !== undefined) throw new Error(response.error);
  return {
    response,
    isConnected: () => isConnected,
    disconnect() {
      socket.end();
      return left;
    },
  };
}
