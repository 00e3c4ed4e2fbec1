import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createPostgres } from '../database.ts';

export interface EmptyPostgres {
  readonly url: string;
  readonly database: Database;
  /** As another process has it, with connections of its own. */
  openAgain(): Database;
  disconnect(): Promise<void>;
  drop(): Promise<void>;
}

/** A PostgreSQL database without any table, or a copy of another that nothing is connected to, opened. */
export async function openEmptyPostgres(copied = 'template0'): Promise<EmptyPostgres> {
  const { url, drop } = await createPostgres(() => copied);
  const opened: Database[] = [];
  const openAgain = () => {
    const database = createDatabase(
      openPostgres({ connectionString: url, poolSize: 2, onIdleError: () => undefined }),
    );
    opened.push(database);
    return database;
  };
  const disconnect = async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  };
  return {
    url,
    database: openAgain(),
    openAgain,
    disconnect,
    async drop() {
      await disconnect();
      await drop();
    },
  };
}
