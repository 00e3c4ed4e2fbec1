import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { findRootKey } from '../../platform/config/secret-files.ts';
import { ROOT_KEY_BYTES } from '../../platform/kit/keyring.ts';
import { type Finding, ok, problem, warning, whyOf } from './finding.ts';

const MB = 1024 * 1024;
const LITTLE_BYTES = 1024 * MB;
const TOO_LITTLE_BYTES = 200 * MB;
/** Access by others. */
const OTHERS = 0o077;

/**
 * Checks the data folder: free space, and that nobody else can read it. Only the embedded database
 * needs it.
 */
export async function checkFolder(config: Config): Promise<Finding[]> {
  if (config.databaseUrl !== null) return [];
  const { dataDir } = config;
  try {
    const { mode } = await stat(dataDir);
    return [
      (mode & OTHERS) === 0
        ? ok('data folder', `Only its owner can read ${dataDir}`)
        : problem(
            'data folder',
            `Other users can read ${dataDir} (mode ${(mode & 0o777).toString(8)})`,
            `chmod 700 ${dataDir}`,
          ),
      ...(await checkFile(join(dataDir, 'admin-token'))),
      ...(await checkFile(join(dataDir, 'root-key'))),
      await checkRoom(dataDir),
      await checkRootKey(config),
    ];
  } catch (error) {
    return [
      problem(
        'data folder',
        `${dataDir} cannot be read (${whyOf(error)})`,
        'Start the service once, set DATA_DIR to its folder, or run this as its user and on its machine.',
      ),
    ];
  }
}

async function checkFile(path: string): Promise<Finding[]> {
  const found = await stat(path).catch(() => null);
  if (found === null || (found.mode & OTHERS) === 0) return [];
  return [problem('data folder', `Other users can read ${path}`, `chmod 600 ${path}`)];
}

async function checkRoom(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  return judgeRoom(bavail * bsize, dataDir);
}

export function judgeRoom(freeBytes: number, dataDir: string): Finding {
  const free = `${Math.floor(freeBytes / MB)} MB are free in ${dataDir}`;
  const advice =
    'Free some space, or move the folder to a larger disk. A full disk stops the service.';
  if (freeBytes >= LITTLE_BYTES) return ok('disk', free);
  return freeBytes >= TOO_LITTLE_BYTES
    ? warning('disk', free, advice)
    : problem('disk', free, advice);
}

async function checkRootKey(config: Config): Promise<Finding> {
  const key = await findRootKey(config);
  if (key?.length === ROOT_KEY_BYTES) return ok('root key', 'exists; keep a copy elsewhere');
  return problem(
    'root key',
    key === null ? 'is missing' : 'is damaged',
    'Restore root-key from your backup. Without it, the encrypted secrets cannot be read.',
  );
}
