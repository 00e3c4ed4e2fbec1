import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';

export interface FolderLock {
  release(): Promise<void>;
}

/** Another process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** The size of `sun_path` on Linux. */
const ABSTRACT_NAME_LENGTH = 108;

/**
 * Makes this process the only user of the folder. The lock is a listening socket named after the
 * folder's device and inode, so that every path to the folder gives the same lock and the kernel
 * releases it however the process ends. On Linux it works within one network namespace: two
 * containers that share a volume do not see each other.
 */
export async function lockFolder(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FolderLock> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const address = lockAddress(`goodword-${dev}-${ino}`, platform);
  try {
    return await listen(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  }
  if (address.startsWith('/') && !(await isAlive(address))) {
    rmSync(address, { force: true });
    return await listen(address);
  }
  throw new FolderInUseError(
    `Another Goodword process is already using the data folder ${folder}. ` +
      'Stop it first, or set DATA_DIR to another folder.',
  );
}

function lockAddress(name: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  // Some versions of Node pad a shorter abstract name and others do not; only at full length do all
  // of them use the same socket.
  if (platform === 'linux') return `\0${name}`.padEnd(ABSTRACT_NAME_LENGTH, '-');
  return `/tmp/${name}.sock`;
}

async function listen(address: string): Promise<FolderLock> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: address, exclusive: true }, resolve);
  });
  server.unref();
  return { release: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** A socket file outlives a killed process, but then nothing accepts connections. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
