import type { Tx } from '../../../platform/db/database.ts';
import { FINDINGS_MAX } from '../findings.ts';

/** Rows of a table in memory at once. */
const PAGE = 1_000;

/** Lists the rows of a project, page by page. */
export type ListPages<R> = (tx: Tx, projectId: string) => AsyncGenerator<R[]>;

/**
 * Defines a list of the rows of a query, in the query's order; `$1` is the project. Uses a cursor of
 * the surrounding snapshot: the database keeps the position and sorts on disk if needed. `name` is
 * the cursor's name, one per query.
 */
export function pagesOf<R>(name: string, text: string): ListPages<R> {
  return async function* (tx, projectId) {
    await tx.query(`declare ${name} no scroll cursor for ${text}`, [projectId]);
    while (true) {
      const rows = await tx.query<R>(`fetch ${PAGE} from ${name}`);
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) break;
    }
    await tx.query(`close ${name}`);
  };
}

/** Tables whose rows are counted before they are walked over. */
export type WalkedTable = 'events' | 'rewards' | 'purchases' | 'figures' | 'participants';

export async function countRows(tx: Tx, projectId: string, table: WalkedTable): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(
    `select count(*) as count from ${table} where project_id = $1`,
    [projectId],
  );
  return Number(row?.count ?? 0n);
}

/** Deliveries that are queued or were sent, and the columns that identify them. */
const SENT = {
  delivery: { table: 'webhook_deliveries', id: `t.queue_id || ' ' || t.position` },
  attempt: { table: 'webhook_attempts', id: 't.id' },
} as const;

export type SentSubject = keyof typeof SENT;
export const SENT_SUBJECTS = Object.keys(SENT) as SentSubject[];

/** Deliveries of an event that the feed does not have. */
export function listWithoutEvent(
  tx: Tx,
  projectId: string,
  subject: SentSubject,
): Promise<{ id: string; position: bigint }[]> {
  const { table, id } = SENT[subject];
  return tx.query(
    `select ${id} as id, t.position from ${table} t
     where t.project_id = $1 and not exists
       (select 1 from feed_events f where f.project_id = $1 and f.position = t.position)
     order by t.position, 1 limit $2`,
    [projectId, FINDINGS_MAX],
  );
}
