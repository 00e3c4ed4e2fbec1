import type { Queryable } from '../../platform/db/driver.ts';
import { hasRow, listRows, listValues, sendWrite } from '../../platform/db/statements.ts';
import {
  bigint,
  boolean,
  type Columns,
  insertRows,
  integer,
  json,
  selectColumns,
  text,
  timestamptz,
  updateRows,
} from '../../platform/db/write-rows.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { snapshotOf } from './read/present.ts';
import type { RewardAdjustmentRow, RewardRow } from './reward.ts';

const ID: Columns<RewardRow> = { id: text((row) => row.id) };

const FIXED: Columns<RewardRow> = {
  number: bigint((row) => row.number),
  program_id: text((row) => row.programId),
  rule_id: text((row) => row.ruleId),
  terms_version_id: text((row) => row.termsVersionId),
  event_id: text((row) => row.eventId),
  referral_id: text((row) => row.referralId),
  purchase_id: text((row) => row.purchaseId),
  beneficiary_role: text((row) => row.beneficiaryRole),
  beneficiary_participant_id: text((row) => row.beneficiaryParticipantId),
  benefit_kind: text((row) => row.benefitKind),
  amount_minor: bigint((row) => row.amountMinor),
  currency: text((row) => row.currency),
  currency_exponent: integer((row) => row.currencyExponent),
  rate_bps: integer((row) => row.rateBps),
  duration_mode: text((row) => row.durationMode),
  duration_months: integer((row) => row.durationMonths),
  quantity: integer((row) => row.quantity),
  unit_id: text((row) => row.unitId),
  validity_days: integer((row) => row.validityDays),
  plan: text((row) => row.plan),
  periods: integer((row) => row.periods),
  signup_person_id: text((row) => row.signupPersonId),
  milestone: text((row) => row.milestone),
  milestone_at: bigint((row) => row.arithmetic.milestone?.at ?? null),
  method: text((row) => row.method),
  earned_at: timestamptz((row) => row.earnedAt),
  arithmetic: json((row) => row.arithmetic),
  created_at: timestamptz((row) => row.createdAt),
};
/** What can still change after a Reward was earned. */
const CHANGING: Columns<RewardRow> = {
  available_at: timestamptz((row) => row.availableAt),
  net_amount_minor: bigint((row) => row.netAmountMinor),
  fulfillment_status: text((row) => row.fulfillmentStatus),
  delivery_status: text((row) => row.deliveryStatus),
  delivery_reason: text((row) => row.deliveryReason),
  provider_reference: text((row) => row.providerReference),
  is_disputed: boolean((row) => row.isDisputed),
  is_under_review: boolean((row) => row.isUnderReview),
  answered_event_id: text((row) => row.answeredEventId),
  paid_minor: bigint((row) => row.paidMinor),
  payout_id: text((row) => row.payoutId),
  fulfillment: json((row) => row.fulfillment),
  revocation: json((row) => row.revocation),
  void: json((row) => row.void),
  updated_at: timestamptz((row) => row.updatedAt),
};
const ALL = { ...ID, ...FIXED, ...CHANGING };
/** The columns of a stored Reward `r`. */
export const REWARD = selectColumns('r', ALL);

/** All of one Project. */
export const insertRewards = insertRows('rewards', ALL);

/** Writes what can change of each; the rest of a row stays as it was earned. */
export const updateRewards = updateRows('rewards', ID, CHANGING);

export type StoredReward = Omit<RewardRow, 'number'> & {
  readonly number: bigint;
  readonly milestoneAt: bigint | null;
};

export function toRow({ number, milestoneAt: _, ...row }: StoredReward): RewardRow {
  return { ...row, number: Number(number) };
}

export async function findRewardRow(
  db: Queryable,
  projectId: string,
  rewardId: string,
): Promise<RewardRow | undefined> {
  const [row] = await db.query<StoredReward>(
    `select ${REWARD} from rewards r where r.project_id = $1 and r.id = $2`,
    [projectId, rewardId],
  );
  return row && toRow(row);
}

/** The Rewards of these ids, each given once. */
export async function listRewardsById(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<RewardRow[]> {
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from rewards r
       where r.project_id = $1 and r.id = asked_id offset 0) as r`,
    [projectId, ids],
  );
  return rows.map(toRow);
}

/** The Rewards of these purchases, each given once, in the order they were earned. */
export async function listRewardsOfPurchases(
  db: Queryable,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<RewardRow[]> {
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from rewards r
       where r.project_id = $1 and r.purchase_id = asked_id offset 0) as r
     order by r.number`,
    [projectId, purchaseIds],
  );
  return rows.map(toRow);
}

/** Pending or in progress; as in the index `rewards_unsettled`. */
const IS_UNSETTLED = `r.fulfillment_status in ('pending', 'in_progress')`;

export const hasUnsettledRewards = hasRow<
  [projectId: string, beneficiaryId: string]
>(`select 1 from rewards r
     where r.project_id = $1 and r.beneficiary_participant_id = $2 and ${IS_UNSETTLED} limit 1`);

/** Those that are not voided yet, in the order they were earned. */
export async function listUnsettledRewards(
  db: Queryable,
  projectId: string,
  beneficiaryId: string,
  limit: number,
): Promise<RewardRow[]> {
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from rewards r
     where r.project_id = $1 and r.beneficiary_participant_id = $2 and ${IS_UNSETTLED}
       and r.void is null
     order by r.number limit $3`,
    [projectId, beneficiaryId, limit],
  );
  return rows.map(toRow);
}

const COMPARED = { before: '<', until: '<=' } as const;

/**
 * The number of the last Reward earned before (or until, inclusive) a time; 0 if there is none. A
 * binary search over the numbers: they have no gaps and a Project's time never runs backwards, so
 * no index of times is needed.
 */
export async function findLastNumber(
  db: Queryable,
  projectId: string,
  bound: keyof typeof COMPARED,
  at: Instant,
): Promise<number> {
  const [found] = await db.query<{ number: bigint }>(
    `with recursive search (low, high) as (
       select 0::bigint, coalesce((select r.number from rewards r where r.project_id = $1
         order by r.number desc limit 1), 0::bigint)
       union all
       select case when probe.lies_earlier then probe.number else step.low end,
         case when probe.lies_earlier then step.high else probe.number - 1 end
       from search step
       join lateral (select r.number, r.earned_at ${COMPARED[bound]} $2::timestamptz as lies_earlier
         from rewards r
         where r.project_id = $1 and r.number = (step.low + step.high + 1) / 2) probe on true
       where step.low < step.high)
     select low as number from search where low = high`,
    [projectId, at],
  );
  if (!found) throw new Error(`The numbers of Rewards in ${projectId} have a gap.`);
  return Number(found.number);
}

/** Number of Rewards with each of these statuses and methods; counts at most `most`. */
export async function countByState(
  db: Queryable,
  projectId: string,
  states: readonly Pick<RewardRow, 'fulfillmentStatus' | 'method'>[],
  most: number,
): Promise<number[]> {
  const rows = await db.query<{ count: number }>(
    `select counted.count from unnest($2::text[], $3::text[]) with ordinality
       as asked (status, method, place)
     cross join lateral (select count(*)::integer as count from (select 1 from rewards r
       where r.project_id = $1 and r.fulfillment_status = asked.status
         and r.method = asked.method limit $4) as found) as counted
     order by asked.place`,
    [
      projectId,
      states.map(({ fulfillmentStatus }) => fulfillmentStatus),
      states.map(({ method }) => method),
      most,
    ],
  );
  return rows.map(({ count }) => count);
}

/** The held Rewards of a referral in one currency; without one they are no money. */
interface HeldRow {
  readonly referralId: string;
  readonly currency: string | null;
  readonly currencyExponent: number | null;
  readonly count: number;
  readonly amountMinor: string;
}

/** What is in progress was sent, or is in an approved batch: it does not wait for the decision. */
export const countHeld = listRows<
  HeldRow,
  [projectId: string, referralIds: readonly string[]]
>(`select asked.id as "referralId", held.* from unnest($2::text[]) as asked (id)
     cross join lateral (select r.currency, r.currency_exponent as "currencyExponent",
         count(*)::integer as count, coalesce(sum(r.net_amount_minor), 0)::text as "amountMinor"
       from rewards r
       where r.project_id = $1 and r.referral_id = asked.id and r.is_under_review
         and r.fulfillment_status in ('pending', 'failed')
       group by r.currency, r.currency_exponent) as held
     order by 1, held.currency`);

export const listRewardIdsOf = listValues<
  string,
  [projectId: string, referralId: string, limit: number]
>(`select r.id from (select id, number from rewards
       where project_id = $1 and referral_id = $2 order by number desc limit $3) as r
     order by r.number`);

export interface RewardPlace {
  readonly id: string;
  readonly programId: string;
  readonly number: number;
}

/** Ordered by Program and number, as in the index, after a position. */
export async function listRewardsBehind(
  db: Queryable,
  projectId: string,
  participantId: string,
  { after, limit }: { readonly after: Omit<RewardPlace, 'id'>; readonly limit: number },
): Promise<RewardPlace[]> {
  const rows = await db.query<Omit<RewardPlace, 'number'> & { number: bigint }>(
    `select id, program_id as "programId", number from rewards
     where project_id = $1 and beneficiary_participant_id = $2
       and (program_id, number) > ($3::text, $4::bigint)
     order by program_id, number limit $5`,
    [projectId, participantId, after.programId, after.number, limit],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

export const listRewardIdsOfEvents = listValues<
  string,
  [projectId: string, eventIds: readonly string[]]
>(`select r.id from unnest($2::text[]) as asked (event_id)
     cross join lateral (select id from rewards
       where project_id = $1 and rewards.event_id = asked.event_id offset 0) as r`);

export const clearVoidReasons = sendWrite<
  [projectId: string, ids: readonly string[]]
>(`update rewards r set void = (r.void::jsonb || '{"reason": null}'::jsonb)::json
     from (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as k
     where r.project_id = $1 and r.project_id = k.project_id and r.id = k.id and r.void->>'reason' is not null`);

export const insertRewardAdjustments = insertRows<RewardAdjustmentRow>('reward_adjustments', {
  id: text((row) => row.id),
  number: bigint((row) => row.number),
  purchase_adjustment_id: text((row) => row.purchaseAdjustmentId),
  reward_id: text((row) => row.rewardId),
  purchase_id: text((row) => row.purchaseId),
  currency: text((row) => row.currency),
  signed_amount_minor: bigint((row) => row.signedAmountMinor),
  calculation_snapshot: json(snapshotOf),
  created_at: timestamptz((row) => row.createdAt),
  updated_at: timestamptz((row) => row.createdAt),
  beneficiary_participant_id: text((row) => row.beneficiaryParticipantId),
});
