import type { Tx } from '../../platform/db/database.ts';
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

/** Claims due erasures, longest waiting first; no other process gets them before `dueAt`. */
export function claimErasures(
  tx: Tx,
  now: Instant,
  dueAt: Instant,
  limit: number,
): Promise<ErasureRow[]> {
  return tx.query<ErasureRow>(
    `update erasures e set due_at = $2
     from (select project_id, participant_id from erasures where due_at <= $1
       order by due_at limit $3 for update skip locked) as due
     where e.project_id = due.project_id and e.participant_id = due.participant_id
     returning e.project_id as "projectId", e.participant_id as "participantId",
       e.is_forced as "isForced"`,
    [now, dueAt, limit],
  );
}
