import type { ReviewStatus } from '../../../domain/risk/schema.ts';
import { listRows } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Mark } from './draw-ring.ts';

/** Purchases that are counted of each referral. */
const PURCHASES_MAX = 100;

interface Purchases {
  readonly purchases: number;
  readonly refundedPurchases: number;
}

/** How many there are of a referral, and how many of them were refunded in full. */
const purchasesOf = (referralId: string): string =>
  `select count(*)::integer as purchases,
     count(*) filter (where p.amount_minor > 0 and p.refunded_minor >= p.amount_minor)::integer
       as "refundedPurchases"
   from (select e.id from events e
     where e.project_id = $1 and e.referral_id = ${referralId} and e.type = 'purchase'
       and e.processing_state = 'processed' limit ${PURCHASES_MAX}) as e
   left join lateral (select amount_minor, refunded_minor from purchases
     where project_id = $1 and event_id = e.id and duplicate_of is null limit 1) as p on true`;

export const countPurchases = listRows<Purchases, [projectId: string, referralId: string]>(
  purchasesOf('$2'),
);

export interface OtherReferral extends Purchases {
  readonly referralId: string;
  readonly refereeParticipantId: string;
  readonly boundAt: Instant;
  readonly score: number | null;
  readonly reviewStatus: ReviewStatus | null;
}

/** The newest referrals of a referrer, but for one. The score is that of the Event that bound it. */
export const listOtherReferrals = listRows<
  OtherReferral,
  [projectId: string, referrerId: string, butId: string, limit: number]
>(`select r.id as "referralId", r.referee_participant_id as "refereeParticipantId",
     r.selected_at as "boundAt", r.review_status as "reviewStatus",
     (select (e.explanation -> 'risk' ->> 'score')::integer from events e
       where e.project_id = $1 and e.id = r.binding_event_id) as score,
     bought.purchases, bought."refundedPurchases"
   from (select * from referrals
     where project_id = $1 and referrer_participant_id = $2 and id <> $3
     order by id desc limit $4) as r
   cross join lateral (${purchasesOf('r.id')}) as bought
   order by r.id desc`);

/** Who referred somebody, who referred those, and so on. */
export const listReferrersAbove = listRows<
  { from: string; to: string },
  [projectId: string, participantId: string, most: number]
>(`with recursive above (referrer, referee, step) as (
     select r.referrer_participant_id, r.referee_participant_id, 1 from referrals r
     where r.project_id = $1 and r.referee_participant_id = $2
     union all
     select r.referrer_participant_id, r.referee_participant_id, a.step + 1 from above a
     cross join lateral (select * from referrals
       where project_id = $1 and referee_participant_id = a.referrer offset 0) as r
     where a.step < $3)
   select distinct referrer as "from", referee as "to" from above`);

/** What is known of these people that they may share: networks, accounts, cards and addresses. */
export const listMarks = listRows<Mark, [projectId: string, participantIds: readonly string[]]>(
  `select asked.id as "participantId", m.kind, m.mark from unnest($2::text[]) as asked (id)
   cross join lateral (
     select 'network' as kind, n.network_hash as mark from participant_networks n
       where n.project_id = $1 and n.participant_id = asked.id
     union all
     select 'card', c.card_hash from participant_cards c
       where c.project_id = $1 and c.participant_id = asked.id
     union all
     select 'payout', d.fingerprint from payout_details d
       where d.project_id = $1 and d.owner_kind = 'participant' and d.owner_id = asked.id
         and d.fingerprint is not null
     union all
     select 'email', p.email_key from participants p
       where p.project_id = $1 and p.id = asked.id and p.email_key is not null) as m`,
);
