/** Where a store is, and which of its copies it is. */
export interface StoreIdentity {
  /** The server, its timeline and the database; null if embedded. */
  readonly place: string | null;
  /** Rises with each start and each backup; null if there is no file that says it. */
  readonly generation: number | null;
}

/**
 * Whether a store is another copy than the one that the service last ran on. On PostgreSQL, the
 * server, its timeline or the database changed. An embedded store is older than the file beside it
 * remembers, or has no such file. A file that is older than the store was not written in time.
 */
export function judgeIdentity(
  known: StoreIdentity | undefined,
  seen: StoreIdentity,
): 'new' | 'same' | 'moved' {
  if (!known || known.generation === null) return 'new';
  if (known.place !== seen.place) return 'moved';
  if (seen.place !== null) return 'same';
  return seen.generation === null || seen.generation > known.generation ? 'moved' : 'same';
}
