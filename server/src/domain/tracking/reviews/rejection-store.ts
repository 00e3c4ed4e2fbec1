import { listRows } from '../../../platform/db/statements.ts';
import type { CreditedPurchase } from './rejected-figures.ts';

/** The purchases of a referral, also those that were credited to it as its referee's own. */
export const listCreditedPurchases = listRows<
  CreditedPurchase,
  [projectId: string, referralId: string, refereeId: string]
>(`select p.amount_minor::text as "amountMinor", p.refunded_minor as "refundedMinor",
       p.disputed_minor as "disputedMinor", p.currency, e.received_at as "receivedAt"
     from (select id, received_at from events
         where project_id = $1 and referral_id = $2 and type = 'purchase'
           and processing_state = 'processed' and program_id is not null
       union all
       select id, received_at from events
         where project_id = $1 and participant_id = $3 and type = 'purchase'
           and processing_state = 'processed' and program_id is not null and referral_id is null
       offset 0) as e
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.event_id = e.id offset 0) as p`);
