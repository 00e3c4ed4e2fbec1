import type { Queryable } from '../../../platform/db/driver.ts';
import type { CreditedPurchases } from './decided-figures.ts';

type Row = Omit<CreditedPurchases, 'refundedMinor' | 'disputedMinor'> & {
  readonly refundedText: string;
  readonly disputedText: string;
};

/**
 * The purchases of a referral, also those that were credited to it as its referee's own. There may be any number: those
 * that count alike are one row.
 */
export async function listCreditedPurchases(
  db: Queryable,
  projectId: string,
  referralId: string,
  refereeId: string,
): Promise<CreditedPurchases[]> {
  const rows = await db.query<Row>(
    `select p.currency, to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD') as "receivedAt",
       count(*) as "howMany", sum(p.amount_minor)::text as "amountMinor",
       sum(p.refunded_minor)::text as "refundedText", sum(p.disputed_minor)::text as "disputedText"
     from (select id, received_at from events
         where project_id = $1 and referral_id = $2 and type = 'purchase'
           and processing_state = 'processed' and program_id is not null
       union all
       select id, received_at from events
         where project_id = $1 and participant_id = $3 and type = 'purchase'
           and processing_state = 'processed' and program_id is not null and referral_id is null
       offset 0) as e
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.event_id = e.id offset 0) as p
     group by 1, 2, p.amount_minor - p.refunded_minor + p.disputed_minor > 0,
       p.amount_minor > p.refunded_minor`,
    [projectId, referralId, refereeId],
  );
  return rows.map(({ refundedText, disputedText, ...sums }) => ({
    ...sums,
    refundedMinor: BigInt(refundedText),
    disputedMinor: BigInt(disputedText),
  }));
}
