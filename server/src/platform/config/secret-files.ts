import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT_KEY_BYTES } from '../kit/keyring.ts';

export interface Secrets {
  readonly adminToken: string;
  readonly rootKey: Buffer;
  /** File with the admin token; null when it came from the environment. */
  readonly adminTokenPath: string | null;
}

function adminTokenPath(dataDir: string): string {
  return join(dataDir, 'admin-token');
}

function rootKeyPath(dataDir: string): string {
  return join(dataDir, 'root-key');
}

/** The existing root key; null if there is none. */
export async function findRootKey(config: {
  readonly dataDir: string;
  readonly rootKey: Buffer | null;
}): Promise<Buffer | null> {
  const path = rootKeyPath(config.dataDir);
  if (config.rootKey !== null) return config.rootKey;
  return existsSync(path) ? Buffer.from((await readFile(path, 'utf8')).trim(), 'base64') : null;
}

/**
 * The admin token and the root key: from the settings, or generated at the first start and stored
 * in the data folder, readable by its owner only.
 */
export async function loadSecrets(config: {
  readonly dataDir: string;
  readonly adminToken: string | null;
  readonly rootKey: Buffer | null;
}): Promise<Secrets> {
  if (config.adminToken !== null && config.rootKey !== null) {
    return { adminToken: config.adminToken, rootKey: config.rootKey, adminTokenPath: null };
  }
  const tokenPath = adminTokenPath(config.dataDir);
  const rootKey =
    config.rootKey ??
    Buffer.from(
      await readOrMake(rootKeyPath(config.dataDir), () =>
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

/**
 * Written to a temporary file, synced, and only then renamed, so that a file under its name is
 * complete. Only this process uses the folder. Losing the root key would lose everything it
 * encrypts.
 */
async function readOrMake(path: string, make: () => string): Promise<string> {
  if (!existsSync(path)) {
    const aside = `${path}.new`;
    await writeFile(aside, `${make()}\n`, { mode: 0o600, flush: true });
    await rename(aside, path);
    const folder = await open(dirname(path));
    await folder.sync();
    await folder.close();
  }
  return (await readFile(path, 'utf8')).trim();
}
