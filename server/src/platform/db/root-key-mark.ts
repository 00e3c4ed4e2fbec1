import type { Database } from './database.ts';

/**
 * Whether the store is used with the root key of this mark. An empty store accepts any; one from
 * before marks existed accepts the first.
 */
export function isRootKeyOf(database: Database, mark: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    tx.send(
      `insert into root_key_mark (mark) values ($1)
       on conflict (is_only) do update set mark = excluded.mark
       where not exists (select 1 from workspaces)`,
      [mark],
    );
    const [row] = await tx.query<{ mark: string }>('select mark from root_key_mark');
    return row?.mark === mark;
  });
}
