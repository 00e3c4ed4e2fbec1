import type { Tx } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';

export interface ErasureRow {
  readonly projectId: string;
  readonly participantId: string;
  readonly isForced: boolean;
}

export function saveErasure(tx: Tx, row: ErasureRow, dueAt: Instant): void {
  tx.send(
    `insert into erasures (project_id, participant_id, is_forced, due_at) values ($1, $2, $3, $4)
     on conflict (project_id, participant_id) do update
       set is_forced = erasures.is_forced or excluded.is_forced, due_at = excluded.due_at`,
    [row.projectId, row.participantId, row.isForced, dueAt],
  );
}

export function deleteErasure(
  tx: Tx,
  { projectId, participantId }: Omit<ErasureRow, 'isForced'>,
): void {
  tx.send('delete from erasures where project_id = $1 and participant_id = $2', [
    projectId,
    participantId,
  ]);
}

/** Due erasures of all Projects, longest waiting first. */
export const listDueErasures = listRows<ErasureRow, [now: Instant, limit: number]>(
  `select project_id as "projectId", participant_id as "participantId", is_forced as "isForced"
   from erasures where due_at <= $1 order by due_at limit $2`,
);

/** Claims a due erasure: no other process gets it before `dueAt`. False if one was faster. */
export async function claimErasure(
  tx: Tx,
  { projectId, participantId }: ErasureRow,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const rows = await tx.query(
    `update erasures e set due_at = $4
     from (select project_id, participant_id from erasures
       where project_id = $1 and participant_id = $2 and due_at <= $3 for update skip locked) as due
     where e.project_id = $1 and e.project_id = due.project_id
       and e.participant_id = due.participant_id
     returning 1`,
    [projectId, participantId, now, dueAt],
  );
  return rows.length > 0;
}
