import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { sendWrite } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { RewardRow } from './reward.ts';
import { REWARD, type StoredReward, toRow } from './store.ts';

// Rewards of milestones, and what waits for reviews.

/** Whose Rewards of which milestones to look for. */
export interface AskedMilestones {
  readonly ruleId: string;
  readonly beneficiaryId: string;
  /** `RewardRow.milestone` */
  readonly milestone: string;
  /** The measure now, and what it can fall to. */
  readonly value: bigint;
  readonly lowest: bigint;
}

/** The milestones of somebody, with what the measure is and can fall to. */
export interface StakedMilestones extends AskedMilestones {
  /** What the measure falls to if only reviews go wrong. */
  readonly ofReviews: bigint;
}

const OF_ASKED = `select * from rewards r
    where r.project_id = $1 and r.rule_id = asked_rule
      and r.beneficiary_participant_id = asked_beneficiary and r.milestone = asked_milestone`;

/**
 * The Rewards of milestones that the measure may fall below, and the next `most` above it; found by the index
 * `rewards_milestones_once`.
 */
export async function listMilestones(
  db: Queryable,
  projectId: string,
  asked: readonly AskedMilestones[],
  most: number,
): Promise<RewardRow[]> {
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
       as asked (asked_rule, asked_beneficiary, asked_milestone, asked_value, asked_lowest)
     cross join lateral (
       (${OF_ASKED} and r.milestone_at > asked_lowest and r.milestone_at <= asked_value)
       union all
       (${OF_ASKED} and r.milestone_at > asked_value order by r.milestone_at limit $7)
       offset 0) as r
     order by r.number`,
    [
      projectId,
      asked.map(({ ruleId }) => ruleId),
      asked.map(({ beneficiaryId }) => beneficiaryId),
      asked.map(({ milestone }) => milestone),
      asked.map(({ value }) => String(value)),
      asked.map(({ lowest }) => String(lowest)),
      most,
    ],
  );
  return rows.map(toRow);
}

/**
 * Those of these milestones that may have to be settled, above a number: held ones, found by the index
 * `rewards_held_milestones`, and what the measure can fall below or has fallen below. In the order they were earned.
 */
export async function listStakedMilestones(
  db: Queryable,
  projectId: string,
  asked: readonly StakedMilestones[],
  { above, limit }: { readonly above: number; readonly limit: number },
): Promise<RewardRow[]> {
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from unnest($2::text[], $3::text[], $4::text[], $5::bigint[])
       as asked (asked_rule, asked_beneficiary, asked_milestone, asked_lowest)
     cross join lateral (
       (${OF_ASKED} and r.is_under_review and r.milestone is not null and r.number > $6)
       union all
       (${OF_ASKED} and r.milestone_at > asked_lowest and not r.is_under_review and r.void is null
         and r.number > $6)
       offset 0) as r
     order by r.number limit $7`,
    [
      projectId,
      asked.map(({ ruleId }) => ruleId),
      asked.map(({ beneficiaryId }) => beneficiaryId),
      asked.map(({ milestone }) => milestone),
      asked.map(({ lowest }) => String(lowest)),
      above,
      limit,
    ],
  );
  return rows.map(toRow);
}

const HOLD = `update rewards r set is_under_review = true, updated_at = $2,
       delivery_status = case when r.fulfillment_status = 'pending' then 'on_hold' else r.delivery_status end,
       delivery_reason = case when r.fulfillment_status = 'pending' then 'risk_review' else r.delivery_reason end`;

/** As `holdForReview`, for all Rewards of these referrals that are not held yet. */
export const holdRewards = sendWrite<
  [projectId: string, now: Instant, referralIds: readonly string[]]
>(`${HOLD}
     from (select $1::text as project_id, k.id from unnest($3::text[]) as k (id) offset 0) as k
     where r.project_id = $1 and r.project_id = k.project_id and r.referral_id = k.id
       and r.milestone is null and not r.is_under_review`);

/** As `holdMilestone`, for those of these milestones that are reached only with referrals under review. */
export function holdMilestones(
  tx: Tx,
  projectId: string,
  now: Instant,
  asked: readonly StakedMilestones[],
): void {
  tx.send(
    `${HOLD}
     from (select $1::text as project_id, r.id
       from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
         as asked (asked_rule, asked_beneficiary, asked_milestone, asked_value, asked_lowest, asked_of_reviews)
       cross join lateral (${OF_ASKED} and r.milestone_at > asked_lowest and r.milestone_at <= asked_value
         and r.void is null and not r.is_under_review
         and (r.milestone_at > asked_of_reviews or not r.is_disputed) offset 0) as r offset 0) as k
     where r.project_id = $1 and r.project_id = k.project_id and r.id = k.id`,
    [
      projectId,
      now,
      asked.map(({ ruleId }) => ruleId),
      asked.map(({ beneficiaryId }) => beneficiaryId),
      asked.map(({ milestone }) => milestone),
      asked.map(({ value }) => String(value)),
      asked.map(({ lowest }) => String(lowest)),
      asked.map(({ ofReviews }) => String(ofReviews)),
    ],
  );
}

/** Those of a referral that wait for the decision about it, in the order they were earned. */
export async function listHeldRewards(
  db: Queryable,
  projectId: string,
  referralId: string,
  limit: number,
): Promise<RewardRow[]> {
  const rows = await db.query<StoredReward>(
    `select ${REWARD} from rewards r
     where r.project_id = $1 and r.referral_id = $2 and r.is_under_review and r.milestone is null
     order by r.number limit $3`,
    [projectId, referralId, limit],
  );
  return rows.map(toRow);
}
