import { listRows, listValues } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/**
 * People with due purchases, over all Projects: at most `limit` by real time, and as many whose
 * Project's clock was moved ahead of it. Oldest first.
 */
export const listDueEvents = listRows<
  { projectId: string; participantId: string },
  [realNow: Instant, limit: number]
>(`(select project_id as "projectId", participant_id as "participantId" from events
      where processing_state = 'pending' and next_attempt_at <= $1::timestamptz
      order by next_attempt_at limit $2)
     union all
     (select e.project_id, e.participant_id
      from project_heads h join events e on e.project_id = h.project_id
      where h.clock_offset_ms > 0 and e.processing_state = 'pending'
        and e.next_attempt_at > $1::timestamptz
        and e.next_attempt_at <=
          $1::timestamptz + h.clock_offset_ms * interval '1 millisecond'
      order by e.next_attempt_at limit $2)`);

/** People of one Project with due purchases. */
export const listPeopleDue = listValues<
  string,
  [projectId: string, dueBy: Instant, limit: number]
>(`select distinct participant_id as "participantId" from events
     where project_id = $1 and processing_state = 'pending' and next_attempt_at <= $2
     limit $3`);
