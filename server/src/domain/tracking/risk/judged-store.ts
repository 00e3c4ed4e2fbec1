import { listRows } from '../../../platform/db/statements.ts';
import type { RiskFacts } from '../../risk/decide/risk-facts.ts';

/** A referral, and the facts by which it was judged with its newest Events and with the one that has bound it. */
export interface JudgedRow {
  readonly referralId: string;
  readonly referrerId: string;
  readonly refereeId: string;
  readonly facts: readonly (Partial<RiskFacts> | null)[];
}

/** Newest Events of a referee that are read. */
const EVENTS_MAX = 5;

/** Referrals of a Program, the newest first, those before one. */
export const listJudged = listRows<
  JudgedRow,
  [projectId: string, programId: string, before: string | null, limit: number]
>(`select f.id as "referralId", f.referrer_participant_id as "referrerId",
       f.referee_participant_id as "refereeId", judged.facts
     from (select r.* from referrals r
       where r.project_id = $1 and r.program_id = $2 and ($3::text is null or r.id < $3)
       order by r.id desc limit $4) as f
     cross join lateral (select coalesce(json_agg(e.explanation->'risk'->'facts'), '[]') as facts
       from (
         (select r.explanation, r.referral_id from events r
           where r.project_id = $1 and r.participant_id = f.referee_participant_id
           order by r.number desc limit ${EVENTS_MAX})
         union all
         (select r.explanation, r.referral_id from events r
           where r.project_id = $1 and r.id = f.binding_event_id offset 0)
       ) as e where e.referral_id = f.id and e.explanation->'risk' is not null) as judged
     order by f.id desc`);
