import type { Database, Tx } from './database.ts';
import type { Queryable } from './driver.ts';
import { splitStatements } from './split-statements.ts';
import { PROJECT_TABLES, SHARED_TABLES } from './tables.ts';

/** How the tables of a store are placed on the nodes of a Citus cluster. */
export interface Distribution {
  /** Project tables that are distributed, in the order of `PROJECT_TABLES`. */
  readonly distributed: readonly string[];
  /** Project tables that are not. */
  readonly missing: readonly string[];
  /** Project tables of whose rows the coordinator still has a copy, from before they were distributed. */
  readonly uncleared: readonly string[];
  readonly shards: number;
}

/** Null if the database has no Citus extension. */
export async function findDistribution(db: Queryable): Promise<Distribution | null> {
  if (!(await hasCitus(db))) return null;
  const rows = await db.query<{ name: string; shards: number; isCleared: boolean }>(
    `select c.relname as name, pg_relation_size(c.oid) = 0 as "isCleared",
       (select count(*)::integer from pg_dist_shard s where s.logicalrelid = p.logicalrelid) as shards
     from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where p.partmethod = 'h' and c.relnamespace = 'public'::regnamespace`,
  );
  const shardsOf = new Map(rows.map(({ name, shards }) => [name, shards]));
  return {
    distributed: PROJECT_TABLES.filter((name) => shardsOf.has(name)),
    missing: PROJECT_TABLES.filter((name) => !shardsOf.has(name)),
    uncleared: rows.flatMap(({ name, isCleared }) => (isCleared ? [] : [name])),
    shards: shardsOf.get(PROJECT_TABLES[0]) ?? 0,
  };
}

async function hasCitus(db: Queryable): Promise<boolean> {
  const rows = await db.query(`select 1 from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/** The nodes that have shards, and which of them do not answer. */
export async function listNodes(
  db: Queryable,
): Promise<readonly { readonly name: string; readonly answers: boolean }[]> {
  const nodes = await db.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and shouldhaveshards order by 1, 2`,
  );
  return Promise.all(
    nodes.map(async ({ host, port }) => {
      const [found] = await db
        .query<{ answers: boolean }>('select citus_check_connection_to_node($1, $2) as answers', [
          host,
          port,
        ])
        .catch(() => []);
      return { name: `${host}:${port}`, answers: found?.answers === true };
    }),
  );
}

/**
 * Makes sure before a start that the store is distributed wholly or not at all. An empty one is distributed,
 * if that is wanted. Fails with a sentence for the operator.
 */
export async function settleDistribution(
  database: Database,
  isWanted: boolean,
  onNext: (progress: DistributionProgress) => void,
): Promise<void> {
  const found = await findDistribution(database.reads);
  if (found && isWhole(found)) return;
  const isPlain = found === null || found.distributed.length === 0;
  if (isPlain && !isWanted) return;
  if (found === null) {
    throw new Error('DATABASE_LAYOUT is distributed, but the database has no Citus extension.');
  }
  const projects = await database.reads.query('select 1 from projects limit 1');
  if (isWanted && projects.length === 0) return distribute(database, null, onNext);
  throw new Error(
    isPlain
      ? 'DATABASE_LAYOUT is distributed, but the store contains projects and is not distributed. Stop the service and run npm run distribute.'
      : `The store is only partly distributed (${found.distributed.length} of ${PROJECT_TABLES.length} tables). Stop the service and run npm run distribute, which does the rest.`,
  );
}

/** Whether nothing of the distribution is left to do. */
export function isWhole({ missing, uncleared }: Distribution): boolean {
  return missing.length === 0 && uncleared.length === 0;
}

/** How many processes of the service use the database: each of them listens for hints of the others. */
export async function countServices(db: Queryable): Promise<number> {
  const rows = await db.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name = 'goodword-listen'`,
  );
  return rows.length;
}

/** The table about to be distributed: its number among all. */
export interface DistributionProgress {
  readonly table: string;
  readonly number: number;
  readonly of: number;
}

/**
 * Distributes every Project table that is not distributed yet, one transaction each, so that it can be
 * interrupted and repeated. Nothing else may use the store meanwhile. Rows are copied to their nodes.
 */
export async function distribute(
  database: Database,
  shards: number | null,
  onNext: (progress: DistributionProgress) => void,
): Promise<void> {
  await dropKeysToShared(database);
  for (const [index, table] of PROJECT_TABLES.entries()) {
    await database.transaction(async (tx) => {
      await waitForMigrations(tx);
      const services = await countServices(tx);
      if (services > 0) throw new StoreInUseError(services);
      if ((await findDistribution(tx))?.distributed.includes(table)) return;
      onNext({ table, number: index + 1, of: PROJECT_TABLES.length });
      await distributeTable(tx, table, shards);
    });
  }
  // The coordinator still has its copies. In reverse order, because of foreign keys.
  for (const table of PROJECT_TABLES.toReversed()) {
    await database.transaction(async (tx) => {
      await tx.query('select truncate_local_data_after_distributing_table($1::text::regclass)', [
        table,
      ]);
    });
  }
}

/**
 * Foreign keys cannot lead from a distributed table to one that is not. The writer guarantees what they say: it
 * locks the Project's head, which exists only for a Project that exists.
 */
async function dropKeysToShared(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const keys = await tx.query<{ name: string; table: string }>(
      `select conname as name, conrelid::regclass::text as table from pg_constraint
       where contype = 'f' and conrelid::regclass::text = any($1::text[])
         and confrelid::regclass::text = any($2::text[])`,
      [PROJECT_TABLES, SHARED_TABLES],
    );
    for (const { name, table } of keys) {
      await tx.script(`alter table ${table} drop constraint ${name}`);
    }
  });
}

/** Runs the script of a migration. In a distributed store, the Project tables that it creates are distributed as well. */
export async function runMigration(tx: Tx, script: string): Promise<void> {
  const before = await findDistribution(tx);
  if (before === null || before.distributed.length === 0) return tx.script(script);
  const undistributed = new Set(await listExisting(tx, before.missing));
  await tx.query(SEQUENTIAL);
  const distributeNew = async () => {
    const now = await findDistribution(tx);
    for (const table of await listExisting(tx, now?.missing ?? [])) {
      // One that was left by an interrupted distribution is not this migration's.
      if (!undistributed.has(table)) await distributeTable(tx, table, null);
    }
  };
  // Citus passes the text of a command on to the shards, where it must be a single one.
  for (const statement of splitStatements(script)) {
    // Rows that are inserted into a new table must go to their shards.
    if (/^(?:\s|--.*\n)*insert\b/.test(statement)) await distributeNew();
    await tx.script(statement);
  }
  await distributeNew();
}

async function listExisting(db: Queryable, tables: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    'select name from unnest($1::text[]) as t (name) where to_regclass(name) is not null',
    [tables],
  );
  return rows.map(({ name }) => name);
}

/** Something may write to the tables that are about to move. */
export class StoreInUseError extends Error {
  readonly services: number;

  constructor(services: number) {
    super(`${services} processes of the service use the database.`);
    this.services = services;
  }
}

/** Takes the lock by which migrations exclude each other. */
export async function waitForMigrations(tx: Tx): Promise<void> {
  // Another process may be running a long migration: wait for it without limit.
  await tx.query('set local lock_timeout = 0');
  await tx.query('lock table schema_migrations in exclusive mode');
}

/** One shard after the other: in parallel, a table and what it refers to cannot change in one transaction. */
const SEQUENTIAL = `set local citus.multi_shard_modify_mode = 'sequential'`;

async function distributeTable(tx: Tx, table: string, shards: number | null): Promise<void> {
  await tx.query(SEQUENTIAL);
  if (table === PROJECT_TABLES[0]) {
    await tx.query(
      `select create_distributed_table($1::text::regclass, 'project_id', colocate_with => 'none',
         shard_count => coalesce($2::integer, current_setting('citus.shard_count')::integer))`,
      [table, shards],
    );
  } else {
    await tx.query(
      `select create_distributed_table($1::text::regclass, 'project_id', colocate_with => $2)`,
      [table, PROJECT_TABLES[0]],
    );
  }
}
