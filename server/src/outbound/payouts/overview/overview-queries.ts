import type { Queryable } from '../../../platform/db/driver.ts';
import { hasRow } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/** What one person is owed in one currency, as the rewards say. */
export interface OwedSum {
  readonly participantId: string;
  readonly partnerId: string | null;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly dueMinor: bigint;
  readonly grossMinor: bigint;
  readonly heldUntil: Instant | null;
  readonly isUnderReview: boolean;
  /** Whether an open dispute keeps it from being paid. */
  readonly isDisputed: boolean;
}

type OwedText = Omit<OwedSum, 'dueMinor' | 'grossMinor'> & {
  readonly dueMinor: string;
  readonly grossMinor: string;
};

/** Sums over `r`, which has at most a limited number of rewards. */
const sumOver = (rewards: string) => `select o.*, p.partner_id as "partnerId" from (
    select r."participantId", r.currency, r."currencyExponent",
      sum(r.due)::text as "dueMinor", sum(abs(r.due))::text as "grossMinor",
      min(r."heldUntil") as "heldUntil", r."isUnderReview", r."isDisputed"
    from (${rewards}) as r
    group by 1, 2, 3, r."isUnderReview", r."isDisputed", r."heldUntil" is null) as o
  cross join lateral (select p.partner_id from participants p
    where p.project_id = $1 and p.id = o."participantId" offset 0) as p`;

const rewardFields = (due: string) => `${due} as due,
  r.is_under_review and ${due} > 0 as "isUnderReview",
  r.beneficiary_participant_id as "participantId", r.currency,
  r.currency_exponent as "currencyExponent",
  case when r.available_at > $3 then r.available_at end as "heldUntil"`;
/** What was paid before and is to come back is due. */
const IS_HELD = `r.is_disputed and r.payout_due_minor > 0 as "isDisputed"`;

function toSums(rows: readonly OwedText[]): OwedSum[] {
  return rows.map((row) => ({
    ...row,
    dueMinor: BigInt(row.dueMinor),
    grossMinor: BigInt(row.grossMinor),
  }));
}

export interface OwedSelection {
  readonly projectId: string;
  /** Null for all. */
  readonly currency: string | null;
  readonly now: Instant;
  /** Rewards that are read at most. */
  readonly limit: number;
}

/** The condition and the order of an index. */
const FROM_OWED = `from rewards r
  where r.project_id = $1 and ($2::text is null or r.currency = $2)
    and r.payout_due_minor <> 0 and r.payout_id is null
  order by r.currency, r.beneficiary_participant_id, r.number`;

/** Rewards of method `payout` with an amount due that are in no open payout. */
export async function listOwedByPayout(
  db: Queryable,
  { projectId, currency, now, limit }: OwedSelection,
): Promise<OwedSum[]> {
  const rows = await db.query<OwedText>(
    sumOver(`select ${rewardFields('r.payout_due_minor')}, ${IS_HELD} ${FROM_OWED} limit $4`),
    [projectId, currency, now, limit],
  );
  return toSums(rows);
}

/** Cash of a method by which the product or the team pays, not granted yet. */
export async function listOwedByMethod(
  db: Queryable,
  { projectId, currency, now, limit }: OwedSelection,
  method: 'operator' | 'manual',
): Promise<OwedSum[]> {
  const rows = await db.query<OwedText>(
    sumOver(`select ${rewardFields('r.net_amount_minor')}, r.is_disputed as "isDisputed" from (
        select * from rewards r
        where r.project_id = $1 and r.fulfillment_status = 'pending' and r.method = $5
        order by r.number limit $4 offset 0) as r
      where r.benefit_kind = 'cash' and r.void is null
        and ($2::text is null or r.currency = $2)`),
    [projectId, currency, now, limit, method],
  );
  return toSums(rows);
}

/** Whether more is owed by payout than is read. */
export const hasMoreByPayout = hasRow<[projectId: string, currency: string | null, limit: number]>(
  `select 1 ${FROM_OWED} offset $3 limit 1`,
);

/** Whether a method has more rewards that are not granted than are read of it. */
export const hasMoreByMethod = hasRow<[projectId: string, method: string, limit: number]>(
  `select 1 from rewards r
   where r.project_id = $1 and r.fulfillment_status = 'pending' and r.method = $2
   order by r.number offset $3 limit 1`,
);
