import type { Tx } from '../../../platform/db/database.ts';
import { FINDINGS_MAX } from '../findings.ts';

/** What is, or was, on its way to an endpoint, and how one is told from the others. */
const SENT = {
  delivery: { table: 'webhook_deliveries', id: `t.queue_id || ' ' || t.position` },
  attempt: { table: 'webhook_attempts', id: 't.id' },
} as const;

export type SentSubject = keyof typeof SENT;
export const SENT_SUBJECTS = Object.keys(SENT) as SentSubject[];

/** Those of an event that the feed does not have. */
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
