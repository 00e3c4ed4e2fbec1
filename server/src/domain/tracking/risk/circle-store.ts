import { listRows } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { RECENT_MAX } from '../../risk/risk-slice.ts';

/** Networks of one person, and people who share a card, that signals compare. */
const SHARED_MAX = 20;

const RECENT = `select r.id, r.referee_participant_id, r.binding_occurred_at, r.touch_id from referrals r
  where r.project_id = $1 and r.referrer_participant_id = owner_id order by r.id desc limit ${RECENT_MAX}`;

/** A referrer with the newest referrals: referees and times of binding in milliseconds, separated by spaces. */
export interface RecentRow {
  readonly referrerId: string;
  readonly recent: string | null;
}

/** The newest referrals of the owners of these codes and links, as one row each: every signup with a code reads them. */
export const listRecentOfOwners = listRows<
  RecentRow,
  [projectId: string, names: readonly string[]]
>(`select owner_id as "referrerId", near.recent
     from (select distinct c.participant_id as owner_id from unnest($2::text[]) as asked (name)
       cross join lateral (select r.ref_code_id from ref_names r
         where r.project_id = $1 and r.name = asked.name offset 0) as n
       cross join lateral (select r.participant_id from ref_codes r
         where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c) as owners
     cross join lateral (select string_agg(f.referee_participant_id || ' '
         || (extract(epoch from f.binding_occurred_at) * 1000)::bigint, ' ') as recent
       from (${RECENT}) as f) as near`);

export interface CircleRow {
  readonly participantId: string;
  /** Set for one of the newest referees of this referrer. */
  readonly referrerId: string | null;
  readonly boundAt: Instant | null;
  readonly email: string | null;
  readonly emailKey: string | null;
  readonly emailStem: string | null;
  readonly emailIsDisposable: boolean | null;
  /** Separated by spaces. */
  readonly networks: string | null;
  readonly cardOthers: number;
  readonly clickedAt: Instant | null;
  readonly clickNetwork: string | null;
}

/** These people, and the newest referees of these referrers; each is given once. */
export const listCircle = listRows<
  CircleRow,
  [projectId: string, participantIds: readonly string[], referrerIds: readonly string[]]
>(`select who.participant_id as "participantId", who.referrer_id as "referrerId",
       who.bound_at as "boundAt", p.email, p.email_key as "emailKey", p.email_stem as "emailStem",
       p.email_is_disposable as "emailIsDisposable", seen.networks,
       cards.others::integer as "cardOthers",
       case when t.handle_id is not null then t.occurred_at end as "clickedAt",
       t.ip_hash as "clickNetwork"
     from (
       select null::text as referrer_id, asked_id as participant_id, own.touch_id,
         null::timestamptz as bound_at
       from unnest($2::text[]) as asked (asked_id)
       left join lateral (select r.touch_id from referrals r
         where r.project_id = $1 and r.referee_participant_id = asked_id offset 0) as own on true
       union all
       select owner_id, f.referee_participant_id, f.touch_id, f.binding_occurred_at
       from unnest($3::text[]) as asked (owner_id) cross join lateral (${RECENT}) as f
     ) as who
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = who.participant_id offset 0) as p
     left join lateral (select r.handle_id, r.occurred_at, r.ip_hash from touches r
       where r.project_id = $1 and r.id = who.touch_id offset 0) as t on true
     cross join lateral (select string_agg(n.network_hash, ' ') as networks from
       (select r.network_hash from participant_networks r
        where r.project_id = $1 and r.participant_id = who.participant_id
        limit ${SHARED_MAX}) as n) as seen
     cross join lateral (select count(distinct o.participant_id) as others from
       (select r.card_hash from participant_cards r
        where r.project_id = $1 and r.participant_id = who.participant_id
          and who.referrer_id is null limit ${SHARED_MAX}) as c
       cross join lateral (select r.participant_id from participant_cards r
         where r.project_id = $1 and r.card_hash = c.card_hash
           and r.participant_id <> who.participant_id limit ${SHARED_MAX}) as o) as cards`);

/** Who referred these people, who referred those, and so on. */
export const listChain = listRows<
  { readonly refereeId: string; readonly referrerId: string },
  [projectId: string, participantIds: readonly string[], lengthMax: number]
>(`with recursive up (referee_id, referrer_id, length) as (
       select f.referee_participant_id, f.referrer_participant_id, 1
       from unnest($2::text[]) as asked (asked_id)
       cross join lateral (select * from referrals r
         where r.project_id = $1 and r.referee_participant_id = asked_id offset 0) as f
       union
       select f.referee_participant_id, f.referrer_participant_id, up.length + 1 from up
       cross join lateral (select * from referrals r
         where r.project_id = $1 and r.referee_participant_id = up.referrer_id offset 0) as f
       where up.length < $3)
     select distinct referee_id as "refereeId", referrer_id as "referrerId" from up`);
