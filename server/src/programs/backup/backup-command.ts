import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { declareEverywhere } from '../../accounts/workspaces/payment-hold/declare-restore.ts';
import {
  ConfigError,
  type Environment,
  readVerifyConfig,
  type VerifyConfig,
} from '../../platform/config/config.ts';
import { findRootKey } from '../../platform/config/secret-files.ts';
import { createDatabase } from '../../platform/db/database.ts';
import { FolderInUseError, lockFolder } from '../../platform/db/embedded/folder-lock.ts';
import { createFolder, STORE, syncFolder, syncTree } from '../../platform/db/embedded/folders.ts';
import { writeRestored } from '../../platform/db/embedded/restore-files.ts';
import { assertMigrated } from '../../platform/db/migrate.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { makeNewId } from '../../platform/kit/ids.ts';
import { parseInstant, toInstant } from '../../platform/kit/instant.ts';
import { VERSION } from '../../platform/kit/version.ts';
import { askService } from '../../platform/process/control-socket.ts';
import type { Printer } from '../verify/verify-command.ts';
import { checkOf, readManifest, STORE_IN_BACKUP, writeManifest } from './backup-files.ts';

const BACKUP_HELP = `npm run backup -- <folder>
npm run restore -- <folder>
npm run restore -- --declare <time>

backup copies the embedded database of DATA_DIR into a new folder. The service may run meanwhile.
restore copies it back into a DATA_DIR that has no database. For a store on PostgreSQL, use
PostgreSQL's own tools; see docs/backup.md.
restore --declare says that the PostgreSQL of DATABASE_URL was restored to its state of a time, such as
2026-11-15T02:00:00Z. Nothing is paid from then on until somebody releases it.

The backup does not contain the root key: keep a copy elsewhere. To restore, put it into the data
folder (root-key) or into ROOT_KEY.
`;

/** An error that the operator can fix: printed as a sentence, without a stack. */
class BackupError extends Error {
  override readonly name = 'BackupError';
}

type Verb = 'backup' | 'restore';

interface CommandContext {
  readonly env: Environment;
  readonly clock: Clock;
  readonly printer: Printer;
}

/** Runs the command. Returns 0 on success, 1 on failure. */
export async function runBackup(
  verb: Verb,
  args: readonly string[],
  { env, clock, printer }: CommandContext,
): Promise<0 | 1> {
  try {
    const [folder, ...rest] = args;
    if (verb === 'restore' && folder === '--declare') {
      printer.out(await declare(readVerifyConfig(env), rest, clock));
      return 0;
    }
    if (folder === '--help' || folder === '-h') {
      printer.out(BACKUP_HELP);
      return 0;
    }
    if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
      throw new BackupError(`Enter one folder.\n\n${BACKUP_HELP}`.trimEnd());
    }
    const config = readVerifyConfig(env);
    if (config.databaseUrl !== null) {
      throw new BackupError(
        'DATABASE_URL is set. Back up a store on PostgreSQL with pg_dump; see docs/backup.md.',
      );
    }
    printer.out(await (verb === 'backup' ? backUp : restore)(config, resolve(folder), clock));
    return 0;
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    const isExpected = error instanceof BackupError || error instanceof ConfigError || isFull;
    const text = isExpected ? (error as Error).message : ((error as Error).stack ?? String(error));
    printer.err(`Goodword cannot ${verb === 'backup' ? 'back up' : 'restore'}.\n${text}\n`);
    return 1;
  }
}

async function backUp(config: VerifyConfig, folder: string, clock: Clock): Promise<string> {
  const { dataDir } = config;
  if (existsSync(folder)) throw new BackupError(`${folder} already exists. Choose a new folder.`);
  if (!existsSync(join(dataDir, STORE))) throw new BackupError(`There is no store in ${dataDir}.`);
  const rootKey = await findRootKey(config);
  if (rootKey === null) throw new BackupError(`There is no root key in ${dataDir}. Set ROOT_KEY.`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const takenAt = toInstant(clock.nowMs());
  const facts = { takenAt, version: VERSION, keyCheck: checkOf(rootKey) };
  const count = await fillBackup(dataDir, unfinished, facts).catch(async (error) => {
    // It may be on the store's disk, which needs the space.
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  });
  await rename(unfinished, folder);
  await syncFolder(join(folder, '..'));
  return `Backed up ${dataDir} as of ${takenAt}: ${count} files in ${folder}.\nKeep the root key in another place. Without it, the backup is useless.\n`;
}

/** Returns the number of files. */
async function fillBackup(
  dataDir: string,
  folder: string,
  facts: Parameters<typeof writeManifest>[1],
): Promise<number> {
  await takeCopy(dataDir, join(folder, STORE_IN_BACKUP));
  const { files } = await writeManifest(folder, facts);
  // Read back from disk: a backup that differs from what was written is invalid.
  await readManifest(folder);
  return Object.keys(files).length;
}

/** If the service is running, it makes the copy itself, between two of its writes. */
async function takeCopy(dataDir: string, target: string): Promise<void> {
  const { openEmbedded } = await import('../../platform/db/embedded/open-embedded.ts');
  try {
    const database = await openEmbedded(dataDir);
    try {
      await database.copyTo?.(target);
      await syncTree(target);
      return;
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
  }
  const { response, isConnected, disconnect } = await askService(dataDir, 'copy').catch(
    (error: Error) => {
      throw new BackupError(
        `The running service could not copy ${dataDir} (${error.message}). Stop it first.`,
      );
    },
  );
  try {
    await cp((response as { folder: string }).folder, target, { recursive: true });
    await syncTree(target);
    // The service removes its copy when it stops; some of it may not have been transferred.
    if (!isConnected()) throw new Error('The service has removed its copy.');
  } catch (error) {
    if (isConnected()) throw error;
    throw new BackupError('The service stopped during the backup. Start the backup again.');
  } finally {
    await disconnect();
  }
}

async function restore(config: VerifyConfig, folder: string): Promise<string> {
  const { dataDir } = config;
  const manifest = await readManifest(folder).catch((error: Error) => {
    throw new BackupError(error.message);
  });
  const rootKey = await findRootKey(config);
  if (rootKey === null) {
    throw new BackupError(
      `The root key that encrypted the backup's secrets is missing. Put it into ${dataDir} as root-key, or set ROOT_KEY.`,
    );
  }
  if (checkOf(rootKey) !== manifest.keyCheck) {
    throw new BackupError(
      'This is not the root key that encrypted the backup’s secrets. Nothing was restored.',
    );
  }
  await createFolder(dataDir);
  const lock = await lockFolder(dataDir).catch((error: Error) => {
    throw new BackupError(error.message);
  });
  try {
    if (existsSync(join(dataDir, STORE))) {
      throw new BackupError(
        `There is already a store in ${dataDir}. Move ${join(dataDir, STORE)} away first.`,
      );
    }
    const unfinished = join(dataDir, `${STORE}.restoring`);
    await rm(unfinished, { recursive: true, force: true });
    await cp(join(folder, STORE_IN_BACKUP), unfinished, { recursive: true });
    await syncTree(unfinished);
    // Before the store is there: it must not start without it.
    await writeRestored(dataDir, manifest.takenAt);
    await rename(unfinished, join(dataDir, STORE));
    await syncFolder(dataDir);
  } finally {
    await lock.release();
  }
  return `Restored ${dataDir} as of ${manifest.takenAt}. Nothing is paid until somebody releases it: read “After a restore” in docs/backup.md. npm run verify -- --providers comes first.\n`;
}

/** For a restore that the service cannot recognise itself. */
async function declare(
  { databaseUrl }: VerifyConfig,
  [time, ...rest]: readonly string[],
  clock: Clock,
): Promise<string> {
  const now = toInstant(clock.nowMs());
  const since = parseInstant(time ?? '');
  if (since === undefined || rest.length > 0) {
    throw new BackupError('Enter the time of the backup, such as 2026-11-15T02:00:00Z.');
  }
  if (since > now) throw new BackupError(`${since} is in the future.`);
  if (databaseUrl === null) {
    throw new BackupError(
      'DATABASE_URL is not set. npm run restore -- <folder> declares a restore of the embedded database itself. For another one, call goodword restores declare.',
    );
  }
  const { openPostgres } = await import('../../platform/db/postgres.ts');
  const database = createDatabase(
    openPostgres({ connectionString: databaseUrl, poolSize: 1, onIdleError: () => undefined }),
  );
  try {
    await assertMigrated(database).catch((error: Error) => {
      throw new BackupError(`${error.message} Start the service once with ROLE=api.`);
    });
    const newId = makeNewId(clock.nowMs);
    const declaration = { cause: 'declared' as const, since, note: null, now };
    const ids = await database.transaction((tx) => declareEverywhere({ tx, newId }, declaration));
    return `${ids.length} workspaces pay nothing until they are released: ${ids.join(', ')}.\n`;
  } finally {
    await database.close();
  }
}
