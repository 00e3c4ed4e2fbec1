import type { Instant } from '../../kit/instant.ts';
import type { Database, Tx } from '../database.ts';
import { judgeIdentity, type StoreIdentity } from './judge-identity.ts';

interface StoredIdentity extends StoreIdentity {
  readonly generation: number;
  readonly seenAt: Instant;
}

/** The database of a PostgreSQL server. A user who may not read the server's id has the other parts. */
async function findPlace(tx: Tx): Promise<string> {
  const [may] = await tx.query<{ may: boolean }>(
    `select has_function_privilege('pg_control_system()', 'execute') as may`,
  );
  const server = may?.may ? '(select system_identifier::text from pg_control_system())' : `'?'`;
  const [row] = await tx.query<{ place: string }>(
    `select ${server} || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/'
       || (select oid from pg_database where datname = current_database()) as place`,
  );
  return row?.place ?? '';
}

export interface Seen {
  readonly generation: number;
  /** When the store was last seen where it was before; null if it is the same. */
  readonly movedSince: Instant | null;
}

/**
 * Compares the store with where it was before, and records where it is. `generation` is what the
 * file beside an embedded store says, `undefined` on PostgreSQL.
 */
export async function markIdentity(
  tx: Tx,
  generation: number | null | undefined,
  now: Instant,
): Promise<Seen> {
  const [known] = await tx.query<StoredIdentity>(
    `select place, generation::integer, seen_at as "seenAt" from store_identity for update`,
  );
  const place = generation === undefined ? await findPlace(tx) : null;
  const verdict = judgeIdentity(known, { place, generation: generation ?? null });
  const next = Math.max(known?.generation ?? 0, generation ?? 0) + 1;
  tx.send(
    `insert into store_identity (place, generation, seen_at) values ($1, $2, $3)
     on conflict (is_only) do update set place = excluded.place,
       generation = excluded.generation, seen_at = excluded.seen_at`,
    [place, next, now],
  );
  return { generation: next, movedSince: verdict === 'moved' ? (known?.seenAt ?? null) : null };
}

/**
 * The same while the service runs, without raising the generation: after a failover, the place of a
 * PostgreSQL store changes under it. Returns when the store was last seen where it was before.
 */
export async function watchIdentity(
  tx: Tx,
  isEmbedded: boolean,
  now: Instant,
): Promise<Instant | null> {
  const [known] = await tx.query<StoredIdentity>(
    `select place, generation::integer, seen_at as "seenAt" from store_identity for update`,
  );
  if (!known) return null;
  const place = isEmbedded ? null : await findPlace(tx);
  const { generation, seenAt } = known;
  tx.send('update store_identity set place = $1, seen_at = $2', [place, now]);
  return judgeIdentity(known, { place, generation }) === 'moved' ? seenAt : null;
}

/** Raises the generation, so that a copy of before is recognised as one. */
export function raiseGeneration(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ generation: number }>(
      `update store_identity set generation = generation + 1
       returning generation::integer`,
    );
    return row?.generation ?? 0;
  });
}
