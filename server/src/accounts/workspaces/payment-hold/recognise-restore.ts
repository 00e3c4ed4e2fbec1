import type { Database } from '../../../platform/db/database.ts';
import {
  readGeneration,
  readRestored,
  removeRestored,
  writeGeneration,
} from '../../../platform/db/embedded/restore-files.ts';
import {
  markIdentity,
  raiseGeneration,
  watchIdentity,
} from '../../../platform/db/identity/store-identity.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { declareEverywhere } from './declare-restore.ts';

interface Store {
  readonly database: Database;
  readonly newId: NewId;
  /** The folder of an embedded store; null on PostgreSQL. */
  readonly dataDir: string | null;
}

const MOVED_NOTE = 'The database is not where the service last ran on it.';

/**
 * Called before anything is paid: if the store is a restored copy, every Workspace is put on hold.
 * Returns the ids of the restores. The files are written after the commit: a process that dies in
 * between does the same again, which changes nothing.
 */
export async function recogniseRestore(store: Store, now: Instant): Promise<string[]> {
  const { database, newId, dataDir } = store;
  const takenAt = dataDir === null ? null : await readRestored(dataDir);
  const known = dataDir === null ? undefined : await readGeneration(dataDir);
  const { ids, generation } = await database.transaction(async (tx) => {
    const seen = await markIdentity(tx, known, now);
    const since = takenAt ?? seen.movedSince;
    if (since === null) return { ids: [], generation: seen.generation };
    const cause = takenAt === null ? ('moved' as const) : ('backup' as const);
    const note = takenAt === null ? MOVED_NOTE : null;
    const declaration = { cause, since, note, now };
    const ids = await declareEverywhere({ tx, newId }, declaration);
    return { ids, generation: seen.generation };
  });
  if (dataDir !== null) {
    await writeGeneration(dataDir, generation);
    if (takenAt !== null) await removeRestored(dataDir);
  }
  return ids;
}

/** The same while the service runs; it records that the store is still where it was. */
export function watchRestores(
  { database, newId, dataDir }: Store,
  now: Instant,
): Promise<string[]> {
  return database.transaction(async (tx) => {
    const since = await watchIdentity(tx, dataDir !== null, now);
    if (since === null) return [];
    const declaration = { cause: 'moved' as const, since, note: MOVED_NOTE, now };
    return declareEverywhere({ tx, newId }, declaration);
  });
}

/** After a copy for a backup was made: the store itself is no longer that copy. */
export async function outdateCopies({ database, dataDir }: Omit<Store, 'newId'>): Promise<void> {
  const generation = await raiseGeneration(database);
  if (dataDir !== null) await writeGeneration(dataDir, generation);
}
