import type { Database } from '../src/platform/db/database.ts';
import { PROJECT_TABLES, SHARED_TABLES } from '../src/platform/db/tables.ts';
import { emptyDatabase } from './database.ts';

const TABLES = [...SHARED_TABLES, ...PROJECT_TABLES].filter((name) => name !== 'schema_migrations');

/** The rows of every table, as JSON. */
export type Backup = ReadonlyMap<string, string>;

/** What a dump of this moment would have, on any engine. Nothing may be written meanwhile. */
export async function takeBackup({ reads }: Database): Promise<Backup> {
  const found = new Map<string, string>();
  for (const table of TABLES) {
    const [row] = await reads.query<{ rows: string }>(
      `select coalesce(json_agg(t), '[]')::text as rows from ${table} t`,
    );
    found.set(table, row?.rows ?? '[]');
  }
  return found;
}

/** Replaces whatever is in the database. */
export async function loadBackup(database: Database, backup: Backup): Promise<void> {
  await emptyDatabase(database);
  await database.transaction(async (tx) => {
    await tx.script('set local session_replication_role = replica');
    for (const [table, rows] of backup) {
      const [stored] = await tx.query<{ names: string }>(
        `select string_agg(quote_ident(column_name), ', ') as names
         from information_schema.columns
         where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      );
      const names = stored?.names ?? '';
      tx.send(`delete from ${table}`, []);
      tx.send(
        `insert into ${table} (${names})
         select ${names} from json_populate_recordset(null::${table}, $1)`,
        [rows],
      );
    }
  });
}
