import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT_KEY_BYTES } from './kit/keyring.ts';

export interface Secrets {
  readonly adminToken: string;
  readonly rootKey: Buffer;
  /** Where the admin token can be read; null when it came from the environment. */
  readonly adminTokenPath: string | null;
}

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, 'admin-token');
}

/**
 * The admin token and the root key: from the settings, or made at the first start and
 * kept in the data folder for its owner's eyes only.
 */
export async function loadSecrets(config: {
  readonly dataDir: string;
  readonly adminToken: string | null;
  readonly rootKey: Buffer | null;
}): Promise<Secrets> {
  if (config.adminToken !== null && config.rootKey !== null) {
    return { adminToken: config.adminToken, rootKey: config.rootKey, adminTokenPath: null };
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const tokenPath = adminTokenPath(config.dataDir);
  const rootKey =
    config.rootKey ??
    Buffer.from(
      await readOrMake(join(config.dataDir, 'root-key'), () =>
        randomBytes(ROOT_KEY_BYTES).toString('base64'),
      ),
      'base64',
    );
  if (config.adminToken !== null) {
    return { adminToken: config.adminToken, rootKey, adminTokenPath: null };
  }
  const adminToken = await readOrMake(tokenPath, () => randomBytes(32).toString('hex'));
  return { adminToken, rootKey, adminTokenPath: tokenPath };
}

/** Written once, synced, and never overwritten: losing the root key loses what it encrypts. */
async function readOrMake(path: string, make: () => string): Promise<string> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${make()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const text = (await readFile(path, 'utf8')).trim();
  if (text === '')
    throw new Error(
      `The file ${path} is empty. Restore it from a backup, or delete it if this installation holds nothing yet.`,
    );
  return text;
}
