import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/**
 * People with due purchases, over all Projects: at most `limit` by real time, and as many whose
 * Project's clock was moved ahead of it. Oldest first.
 */
export function listDueEvents(
  db: Queryable,
  realNow: Instant,
  limit: number,
): Promise<{ projectId: string; participantId: string }[]> {
  return db.query(
    `(select project_id as "projectId", participant_id as "participantId" from events
      where processing_state = 'pending' and next_attempt_at <= $1::timestamptz
      order by next_attempt_at limit $2)
     union all
     (select e.project_id, e.participant_id
      from project_heads h join events e on e.project_id = h.project_id
      where h.clock_offset_ms > 0 and e.processing_state = 'pending'
        and e.next_attempt_at > $1::timestamptz
        and e.next_attempt_at <=
          $1::timestamptz + h.clock_offset_ms * interval '1 millisecond'
      order by e.next_attempt_at limit $2)`,
    [realNow, limit],
  );
}

/** People of one Project with due purchases. */
export async function listPeopleDue(
  db: Queryable,
  projectId: string,
  dueBy: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ participantId: string }>(
    `select distinct participant_id as "participantId" from events
     where project_id = $1 and processing_state = 'pending' and next_attempt_at <= $2
     limit $3`,
    [projectId, dueBy, limit],
  );
  return rows.map((row) => row.participantId);
}
