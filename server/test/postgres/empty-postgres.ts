import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createPostgres } from '../database.ts';

export interface EmptyPostgres {
  readonly url: string;
  readonly database: Database;
  /** As another process has it, with connections of its own. */
  openAgain(): Database;
  drop(): Promise<void>;
}

/** A PostgreSQL database without any table, opened. */
export async function openEmptyPostgres(): Promise<EmptyPostgres> {
  const { url, drop } = await createPostgres();
  const opened: Database[] = [];
  const openAgain = () => {
    const database = createDatabase(
      openPostgres({ connectionString: url, poolSize: 2, onIdleError: () => undefined }),
    );
    opened.push(database);
    return database;
  };
  return {
    url,
    database: openAgain(),
    openAgain,
    async drop() {
      await Promise.all(opened.map((database) => database.close()));
      await drop();
    },
  };
}
