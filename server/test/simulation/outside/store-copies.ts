import type { PGlite } from '@electric-sql/pglite';
import { createDatabase, type Database } from '../../../src/platform/db/database.ts';
import { EmbeddedDriver } from '../../../src/platform/db/embedded/embedded-driver.ts';
import type { Mutex } from '../../../src/platform/db/embedded/mutex.ts';
import { PROJECT_TABLES, SHARED_TABLES } from '../../../src/platform/db/tables.ts';

const TABLES = [...SHARED_TABLES, ...PROJECT_TABLES].filter((name) => name !== 'schema_migrations');

/** The rows of every table, as JSON. */
type Copy = ReadonlyMap<string, string>;

/** Copies of the store, as a backup makes and restores them: past all processes, over no faulty line. */
export class StoreCopies {
  readonly database: Database;
  #copy: Copy | null = null;

  constructor(engine: PGlite, mutex: Mutex) {
    const driver = new EmbeddedDriver(engine, mutex, async () => undefined);
    this.database = createDatabase(driver, { watchesNesting: false });
  }

  /** As of one moment, whatever is being written. */
  async take(): Promise<void> {
    const rows = await this.database.reads.query<{ name: string; rows: string }>(
      TABLES.map(
        (name) =>
          `select '${name}' as name, coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
      ).join(' union all '),
    );
    this.#copy = new Map(rows.map(({ name, rows }) => [name, rows]));
  }

  /** Nobody may use the store meanwhile. */
  async putBack(): Promise<void> {
    const copy = this.#copy;
    if (!copy) throw new Error('There is no copy of the store.');
    await this.database.transaction(async (tx) => {
      await tx.script('set local session_replication_role = replica');
      for (const [name, rows] of copy) {
        tx.send(`delete from ${name}`, []);
        if (rows === '[]') continue;
        const [stored] = await tx.query<{ names: string }>(
          `select string_agg(quote_ident(column_name), ', ') as names
           from information_schema.columns
           where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
          [name],
        );
        const names = stored?.names ?? '';
        tx.send(
          `insert into ${name} (${names})
           select ${names} from json_populate_recordset(null::${name}, $1)`,
          [rows],
        );
      }
    });
  }
}
