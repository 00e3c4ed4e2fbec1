import type { Database, Tx } from './database.ts';

/** Purges one Project after another, each in its own short transaction; returns how many rows went. */
export async function purgeEach<T>(
  database: Database,
  projects: Iterable<readonly [projectId: string, what: T]>,
  purge: (tx: Tx, projectId: string, what: T) => Promise<number>,
): Promise<number> {
  let purged = 0;
  for (const [projectId, what] of projects) {
    purged += await database.transaction((tx) => purge(tx, projectId, what));
  }
  return purged;
}
