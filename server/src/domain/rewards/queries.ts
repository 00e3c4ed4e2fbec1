import type { Database } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { listRows } from '../../platform/db/statements.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { notFound } from '../../platform/kit/errors.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { findParties } from '../participants/queries.ts';
import { findUnits } from '../programs/queries.ts';
import { DELIVERY_METHODS, type DeliveryMethod } from './decide/states.ts';
import { toReward } from './read/present.ts';
import { type RewardRow, withDelivery, withPayoutReason } from './reward.ts';
import type { Reward, RewardAdjustment } from './schema.ts';
import { countByState, countHeld, findRewardRow, listRewardIdsOf } from './store.ts';

/** A stored Reward, without fields that depend on the current time. */
export function findRewardState(
  db: Queryable,
  projectId: string,
  rewardId: string,
): Promise<
  | Pick<RewardRow, 'id' | 'benefitKind' | 'fulfillmentStatus' | 'beneficiaryParticipantId'>
  | undefined
> {
  return findRewardRow(db, projectId, rewardId);
}

/** Fails with NOT_FOUND. */
export async function findReward(
  deps: RewardDeps,
  project: ProjectRef,
  rewardId: string,
): Promise<Reward> {
  const { reads } = deps.database;
  const [now, row] = await Promise.all([
    projectNow(reads, deps.clock, project),
    findRewardRow(reads, project.id, rewardId),
  ]);
  if (!row) throw notFound('reward');
  const { findPayable } = deps;
  const [reward] = await showRewardsNow({ reads, findPayable }, project.id, [row], now);
  return reward as Reward;
}

/** Where a Reward comes from. */
export interface RewardOrigin {
  readonly rewardId: string;
  readonly programId: string;
  readonly ruleId: string;
  readonly eventId: string;
  readonly earnedAt: Instant;
}

/** Each id must be given once. */
export const listOrigins = listRows<
  RewardOrigin,
  [projectId: string, rewardIds: readonly string[]]
>(`select r.id as "rewardId", r.program_id as "programId", r.rule_id as "ruleId",
       r.event_id as "eventId", r.earned_at as "earnedAt"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from rewards r
       where r.project_id = $1 and r.id = asked_id offset 0) as r`);

/** Rewards that wait for a decision: how many, and what they are worth after refunds, by currency. */
export interface HeldRewards {
  readonly count: number;
  readonly amounts: { currency: string; currencyExponent: number; amountMinor: string }[];
}

/** What waits for the decision about each of these referrals; none for those of which nothing does. */
export async function findHeldRewards(
  db: Queryable,
  projectId: string,
  referralIds: readonly string[],
): Promise<ReadonlyMap<string, HeldRewards>> {
  const rows = referralIds.length === 0 ? [] : await countHeld(db, projectId, referralIds);
  const held = new Map<string, HeldRewards>();
  for (const { referralId, count, currency, currencyExponent, amountMinor } of rows) {
    const before = held.get(referralId) ?? { count: 0, amounts: [] };
    const money =
      currency === null || currencyExponent === null
        ? []
        : [{ currency, currencyExponent, amountMinor }];
    held.set(referralId, {
      count: before.count + count,
      amounts: [...before.amounts, ...money],
    });
  }
  return held;
}

/** The ids of the newest Rewards of a referral, the oldest of them first. */
export const listRewardIdsOfReferral = listRewardIdsOf;

/** Methods by which people or the product grant and revoke. */
const BY_HAND = ['operator', 'manual'] as const;

export interface WaitingRewards {
  readonly toGrant: ReadonlyMap<DeliveryMethod, number>;
  readonly toTakeBack: ReadonlyMap<DeliveryMethod, number>;
  /** Failed deliveries of any method. */
  readonly failed: number;
}

/** Number of Rewards that wait for somebody; counts at most `most` per kind and method. */
export async function countWaitingRewards(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<WaitingRewards> {
  const states = [
    ...BY_HAND.map((method) => ({ fulfillmentStatus: 'pending', method }) as const),
    ...BY_HAND.map((method) => ({ fulfillmentStatus: 'revocation_pending', method }) as const),
    ...DELIVERY_METHODS.map((method) => ({ fulfillmentStatus: 'failed', method }) as const),
  ];
  const counts = await countByState(db, projectId, states, most);
  const of = (status: string) =>
    states.flatMap(({ fulfillmentStatus, method }, index): [DeliveryMethod, number][] =>
      fulfillmentStatus === status ? [[method, counts[index] ?? 0]] : [],
    );
  return {
    toGrant: new Map(of('pending')),
    toTakeBack: new Map(of('revocation_pending')),
    failed: of('failed').reduce((sum, [, count]) => sum + count, 0),
  };
}

/** Those of these participants who can be paid out: they provided an account, and it was not refused. */
export type FindPayable = (
  projectId: string,
  participantIds: readonly string[],
) => Promise<ReadonlySet<string>>;

export interface RewardDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly findPayable: FindPayable;
}

/** Rewards at `now`, with the names of their beneficiaries and units. */
export async function showRewards(
  db: Queryable,
  projectId: string,
  rows: readonly RewardRow[],
  now: Instant,
): Promise<Reward[]> {
  const [parties, units] = await Promise.all([
    findParties(db, projectId, [...new Set(rows.map((row) => row.beneficiaryParticipantId))]),
    findUnits(db, projectId, [...new Set(rows.flatMap((row) => row.unitId ?? []))]),
  ]);
  return rows.map((row) => {
    const party = parties.get(row.beneficiaryParticipantId);
    if (!party) throw new Error(`Reward ${row.id} has no beneficiary.`);
    return toReward(withDelivery(row, now), units.get(row.unitId ?? '') ?? null, party);
  });
}

/** The same, with the current reason why a payout waits: the last batch may be long ago. Outside any transaction. */
export async function showRewardsNow(
  { reads, findPayable }: { readonly reads: Queryable; readonly findPayable: FindPayable },
  projectId: string,
  rows: readonly RewardRow[],
  now: Instant,
): Promise<Reward[]> {
  const waiting = rows.filter(({ method, fulfillmentStatus }) => {
    return method === 'payout' && fulfillmentStatus === 'pending';
  });
  const ids = [...new Set(waiting.map((row) => row.beneficiaryParticipantId))];
  const payable = ids.length === 0 ? new Set<string>() : await findPayable(projectId, ids);
  const current = rows.map((row) =>
    waiting.includes(row) ? withPayoutReason(row, payable.has(row.beneficiaryParticipantId)) : row,
  );
  return showRewards(reads, projectId, current, now);
}

export interface NumberedAdjustment extends RewardAdjustment {
  readonly number: number;
}

const ADJUSTMENT = `id, number, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", purchase_adjustment_id as "purchaseAdjustmentId",
  reward_id as "rewardId", purchase_id as "purchaseId", currency,
  signed_amount_minor::text as "signedAmountMinor",
  calculation_snapshot as "calculationSnapshot"`;

/** Null means no filter. */
export interface AdjustmentFilter {
  readonly rewardId: string | null;
  readonly participantId: string | null;
}

/** The newest ones, newest first; or those after a number, oldest first. */
export async function listRewardAdjustments(
  db: Queryable,
  projectId: string,
  { rewardId, participantId }: AdjustmentFilter,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<NumberedAdjustment[]> {
  const params: unknown[] = [projectId, limit];
  const conditions = ['project_id = $1'];
  if (rewardId !== null) conditions.push(`reward_id = $${params.push(rewardId)}`);
  if (participantId !== null)
    conditions.push(`beneficiary_participant_id = $${params.push(participantId)}`);
  if (after !== null) conditions.push(`number > $${params.push(after)}`);
  const rows = await db.query<RewardAdjustment & { number: bigint }>(
    `select ${ADJUSTMENT} from reward_adjustments
     where ${conditions.join(' and ')}
     order by number ${after === null ? 'desc' : ''} limit $2`,
    params,
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
