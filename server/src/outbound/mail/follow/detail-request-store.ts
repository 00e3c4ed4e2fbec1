import type { Tx } from '../../../platform/db/database.ts';
import { findRow, listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { DetailRequest, DuePerson } from './decide-detail-requests.ts';

/** The Programs whose participants are asked for missing details, and since when. */
export const listAskingPrograms = listRows<
  { readonly programId: string; readonly since: Instant },
  [projectId: string]
>(`select program_id as "programId",
     coalesce((switched_on->>'payout_details_missing')::timestamptz, updated_at) as since
   from mail_programs
   where project_id = $1 and 'payout_details_missing' = any(kinds) order by program_id`);

/** The participant after whom the next check begins. */
export const findDetailsCursor = findRow<{ readonly after: string | null }, [projectId: string]>(
  'select details_after as after from mail_settings where project_id = $1',
);

export const updateDetailsCursor = sendWrite<[projectId: string, after: string | null]>(
  'update mail_settings set details_after = $2 where project_id = $1',
);

/** Somebody with Rewards that are not settled, and the Programs in which cash is due. */
export interface WaitingPerson extends DuePerson {
  readonly rewardCount: number;
}

/**
 * The next people with unsettled Rewards, in the order of their ids: those of at most `limit` Rewards, so the last
 * one may be incomplete. Cash is due in a Program if it became available since then.
 */
export const listWaitingPeople = listRows<
  WaitingPerson,
  [
    projectId: string,
    after: string,
    now: Instant,
    programIds: readonly string[],
    since: readonly Instant[],
    limit: number,
  ]
>(`select "participantId", count(*)::int as "rewardCount",
     coalesce(array_agg(distinct program_id) filter (where is_due), '{}') as "programIds"
   from (select r.beneficiary_participant_id as "participantId", r.program_id,
       r.method = 'payout' and r.payout_due_minor > 0 and r.payout_id is null and not r.is_disputed
         and r.available_at <= $3 and exists (
           select 1 from unnest($4::text[], $5::timestamptz[]) as asking (id, since)
           where asking.id = r.program_id and r.available_at >= asking.since) as is_due
     from rewards r
     where r.project_id = $1 and r.fulfillment_status in ('pending', 'in_progress')
       and r.beneficiary_participant_id > $2
     order by r.project_id, r.beneficiary_participant_id limit $6) as waiting
   group by "participantId" order by "participantId"`);

export const listDetailRequests = listRows<
  DetailRequest,
  [projectId: string, recipientIds: readonly string[]]
>(`select q.recipient_id as "recipientId", q.program_id as "programId",
     q.details_id as "detailsId", q.requested_at as "requestedAt"
   from unnest($2::text[]) as asked (id)
   cross join lateral (select * from mail_detail_requests d
     where d.project_id = $1 and d.recipient_id = asked.id offset 0) as q`);

/** When each of these people was last mailed about missing details, by the Project's clock. Unsent mails do not count. */
export const listLastRequests = listRows<
  { readonly recipientId: string; readonly at: Instant },
  [projectId: string, recipientIds: readonly string[]]
>(`select asked.id as "recipientId", m.at from unnest($2::text[]) as asked (id)
   cross join lateral (select max(coalesce(l.project_time, l.created_at)) as at from mails l
     where l.project_id = $1 and l.recipient_id = asked.id and l.kind = 'payout_details_missing'
       and l.state not in ('dropped', 'suppressed')
     offset 0) as m
   where m.at is not null`);

export function upsertDetailRequest(tx: Tx, projectId: string, request: DetailRequest): void {
  const { recipientId, programId, detailsId, requestedAt } = request;
  saveRequest(tx, projectId, recipientId, programId, detailsId, requestedAt);
}

const saveRequest = sendWrite<[string, string, string, string | null, Instant]>(
  `insert into mail_detail_requests (project_id, recipient_id, program_id, details_id, requested_at)
   values ($1, $2, $3, $4, $5)
   on conflict (project_id, recipient_id, program_id) do update
     set details_id = excluded.details_id, requested_at = excluded.requested_at`,
);

export const deleteDetailRequests = sendWrite<[projectId: string, recipientId: string]>(
  'delete from mail_detail_requests where project_id = $1 and recipient_id = $2',
);
