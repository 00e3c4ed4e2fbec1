import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listValues, sendWrite } from '../../../platform/db/statements.ts';
import {
  bigint,
  boolean,
  insertRows,
  integer,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ServiceMethod } from '../decide/states.ts';
import type { DeliveryLine, DeliveryRow, DeliveryStep } from './decide-delivery.ts';

const DELIVERY = `d.reward_id as "rewardId", d.participant_id as "participantId", d.method,
  d.account, d.attempt, d.tries, d.due_at as "dueAt", d.waits_for_account as "waitsForAccount",
  d.lease_id as "leaseId", d.leased_until as "leasedUntil", d.step,
  d.amount_minor as "amountMinor", d.intended_at as "intendedAt", d.is_answered as "isAnswered"`;

interface StoredDelivery extends Omit<DeliveryRow, 'intent'> {
  readonly step: DeliveryStep | null;
  readonly amountMinor: bigint | null;
  readonly intendedAt: Instant | null;
}

function toRow({ step, amountMinor, intendedAt, ...row }: StoredDelivery): DeliveryRow {
  if (step === null || intendedAt === null || row.account === null) return { ...row, intent: null };
  const intent = { step, amountMinor: amountMinor ?? 0n, account: row.account, intendedAt };
  return { ...row, intent };
}

/** When a Reward is due to be checked; null for never. */
export interface DueReward {
  readonly rewardId: string;
  readonly participantId: string;
  readonly method: ServiceMethod;
  readonly dueAt: Instant | null;
}

/** What is under way goes on as it is: its end tells what is next. */
export const upsertDue = insertRows<DueReward>(
  'reward_deliveries',
  {
    reward_id: text(({ rewardId }) => rewardId),
    participant_id: text(({ participantId }) => participantId),
    method: text(({ method }) => method),
    due_at: timestamptz(({ dueAt }) => dueAt),
    attempt: integer(() => 1),
    tries: integer(() => 0),
    waits_for_account: boolean(() => false),
    is_answered: boolean(() => false),
  },
  `on conflict (project_id, reward_id) do update
     set due_at = excluded.due_at, waits_for_account = false
     where reward_deliveries.step is null`,
);

/** The deliveries of these Rewards, each given once. */
export async function listDeliveries(
  db: Queryable,
  projectId: string,
  rewardIds: readonly string[],
): Promise<DeliveryRow[]> {
  const rows = await db.query<StoredDelivery>(
    `select ${DELIVERY} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from reward_deliveries r
       where r.project_id = $1 and r.reward_id = asked_id offset 0) as d`,
    [projectId, rewardIds],
  );
  return rows.map(toRow);
}

/** Those of these participants with a delivery in progress by this method, and when it is checked again. */
export async function findBusy(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
  method: ServiceMethod,
): Promise<Map<string, Instant>> {
  const rows = await db.query<{ id: string; dueAt: Instant }>(
    `select asked_id as id, open.due_at as "dueAt"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select d.due_at from reward_deliveries d
       where d.project_id = $1 and d.participant_id = asked_id and d.step is not null
         and d.method = $3
       limit 1) as open`,
    [projectId, participantIds, method],
  );
  return new Map(rows.map(({ id, dueAt }) => [id, dueAt]));
}

export const updateDeliveries = updateRows<DeliveryRow>(
  'reward_deliveries',
  { reward_id: text(({ rewardId }) => rewardId) },
  {
    account: text(({ account }) => account),
    attempt: integer(({ attempt }) => attempt),
    tries: integer(({ tries }) => tries),
    due_at: timestamptz(({ dueAt }) => dueAt),
    waits_for_account: boolean(({ waitsForAccount }) => waitsForAccount),
    lease_id: text(({ leaseId }) => leaseId),
    leased_until: timestamptz(({ leasedUntil }) => leasedUntil),
    step: text(({ intent }) => intent?.step ?? null),
    amount_minor: bigint(({ intent }) => intent?.amountMinor ?? null),
    intended_at: timestamptz(({ intent }) => intent?.intendedAt ?? null),
    is_answered: boolean(({ isAnswered }) => isAnswered),
  },
);

export const insertLines = insertRows<DeliveryLine>('reward_delivery_lines', {
  reward_id: text(({ rewardId }) => rewardId),
  attempt: integer(({ attempt }) => attempt),
  step: text(({ step }) => step),
  amount_minor: bigint(({ amountMinor }) => amountMinor),
  reference: text(({ reference }) => reference),
  advance: text(({ advance }) => advance),
  settled_at: timestamptz(({ settledAt }) => settledAt),
});

/**
 * Projects with due deliveries. All of them: deliveries of a Project that is not connected stay
 * due, and must not hide the others.
 */
export const listDueProjects = listValues<string, [dueBy: Instant]>(
  'select distinct project_id as "projectId" from reward_deliveries where due_at <= $1',
);

export interface DeliveryClaim {
  readonly methods: readonly ServiceMethod[];
  /** By the Project's clock. */
  readonly dueBy: Instant;
  readonly leaseId: string;
  /** In real time. */
  readonly now: Instant;
  readonly leasedUntil: Instant;
  readonly limit: number;
}

/** Leases due deliveries, the longest waiting first. Skips those that another process is leasing. */
export async function claimDeliveries(
  tx: Tx,
  projectId: string,
  claim: DeliveryClaim,
): Promise<DeliveryRow[]> {
  const rows = await tx.query<StoredDelivery>(
    `with chosen as (
       select d.reward_id from reward_deliveries d
       where d.project_id = $1 and d.due_at <= $2 and d.method = any($3::text[])
         and (d.leased_until is null or d.leased_until <= $4)
       order by d.due_at, d.reward_id limit $5 for update skip locked)
     update reward_deliveries d set lease_id = $6, leased_until = $7
     from (select $1::text as project_id, c.reward_id from chosen c offset 0) as c
     where d.project_id = $1 and d.project_id = c.project_id and d.reward_id = c.reward_id
     returning ${DELIVERY}`,
    [
      projectId,
      claim.dueBy,
      claim.methods,
      claim.now,
      claim.limit,
      claim.leaseId,
      claim.leasedUntil,
    ],
  );
  return rows.map(toRow);
}

/** Releases leases. One that another process has taken over is not changed. */
export const releaseLease = sendWrite<
  [projectId: string, rewardId: string, leaseId: string]
>(`update reward_deliveries set lease_id = null, leased_until = null
     where project_id = $1 and reward_id = $2 and lease_id = $3`);

/** Number woken at a time, so that others do not have to wait. */
const WAKE_MAX = 500;

/**
 * Makes some deliveries that waited for these participants' accounts due, and updates their
 * Rewards. Processing them wakes more.
 */
export function wakeWaiting(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
  now: Instant,
): void {
  tx.send(
    `with found as (
       select w.reward_id from unnest($2::text[]) as asked (asked_id)
       cross join lateral (select d.reward_id from reward_deliveries d
         where d.project_id = $1 and d.participant_id = asked_id and d.waits_for_account
         offset 0) as w
       limit $4),
     woken as (
       update reward_deliveries d set due_at = $3, waits_for_account = false
       from (select $1::text as project_id, f.reward_id from found f offset 0) as f
       where d.project_id = $1 and d.project_id = f.project_id and d.reward_id = f.reward_id
       returning d.reward_id)
     update rewards r set delivery_reason = 'provider_pending', updated_at = $3
     from (select $1::text as project_id, w.reward_id from woken w offset 0) as w
     where r.project_id = $1 and r.project_id = w.project_id and r.id = w.reward_id
       and r.delivery_reason = 'awaiting_billing_account'`,
    [projectId, participantIds, now, WAKE_MAX],
  );
}

/** Clears an erased person's account at the provider, except for deliveries that still need it. */
export const clearAccounts = sendWrite<
  [projectId: string, participantId: string]
>(`update reward_deliveries set account = null
     where project_id = $1 and participant_id = $2 and account is not null
       and step is null and due_at is null`);

/** The accounts at which this person's Rewards were delivered, or are to be. */
export const listAccountsOf = listValues<
  string,
  [projectId: string, participantId: string]
>(`select distinct account from reward_deliveries
     where project_id = $1 and participant_id = $2 and account is not null`);

export interface BelievedPlace {
  readonly account: string;
  readonly rewardId: string;
}

/** What the service believes was delivered of one Reward. */
export interface BelievedReward extends BelievedPlace {
  readonly method: ServiceMethod;
  /** Null for a discount. */
  readonly currency: string | null;
  /** Minor units on a balance; for a discount, how often it was granted less how often taken back. */
  readonly believed: bigint;
  /** By the Project's clock; nothing was done for it earlier. */
  readonly earnedAt: Instant;
}

/** Rewards with a delivery or an attempt, ordered by account. Those in progress are omitted. */
export function listBelieved(
  db: Queryable,
  projectId: string,
  after: BelievedPlace | null,
  limit: number,
): Promise<BelievedReward[]> {
  return db.query<BelievedReward>(
    `select d.reward_id as "rewardId", d.method, d.account,
       (select r.currency from rewards r
         where r.project_id = $1 and r.id = d.reward_id) as currency,
       (select r.earned_at from rewards r
         where r.project_id = $1 and r.id = d.reward_id) as "earnedAt",
       coalesce((select sum(case when d.method = 'stripe_balance' then l.amount_minor
           when l.step = 'grant' then 1 else -1 end)
         from reward_delivery_lines l
         where l.project_id = $1 and l.reward_id = d.reward_id
           and l.advance is null), 0)::bigint as believed
     from reward_deliveries d
     where d.project_id = $1 and d.account is not null and d.step is null
       and (d.account, d.reward_id) > ($2, $3)
     order by d.account, d.reward_id limit $4`,
    [projectId, after?.account ?? '', after?.rewardId ?? '', limit],
  );
}
