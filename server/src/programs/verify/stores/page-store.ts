import type { Tx } from '../../../platform/db/database.ts';

/** What of a table is in memory at once. */
const PAGE = 1_000;

/**
 * The rows of a query, page by page, in the query's order; `$1` is the Project. A cursor of
 * the snapshot it runs in: the database keeps the place, and sorts on disk what it must.
 * `name` is the cursor's, one for each query.
 */
export async function* pagesOf<R>(
  tx: Tx,
  projectId: string,
  name: string,
  text: string,
): AsyncGenerator<R[]> {
  await tx.query(`declare ${name} no scroll cursor for ${text}`, [projectId]);
  while (true) {
    const rows = await tx.query<R>(`fetch ${PAGE} from ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) break;
  }
  await tx.query(`close ${name}`);
}

/** Tables whose rows are counted before they are walked over. */
export type WalkedTable = 'events' | 'rewards' | 'purchases' | 'counters';

export async function countRows(tx: Tx, projectId: string, table: WalkedTable): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(
    `select count(*) as count from ${table} where project_id = $1`,
    [projectId],
  );
  return Number(row?.count ?? 0n);
}
