import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listValues } from '../../../platform/db/statements.ts';
import {
  bigint,
  type Columns,
  insertRows,
  integer,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { OrderedNumberPage } from '../../../platform/http/routes/paging.ts';
import { COUNTED_MAX, type LookedSum } from '../../../platform/http/routes/totals.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { PayoutBatchDetail } from '../schema.ts';
import type { LineRow, PartRow, StatusMove } from '../transfers/payout.ts';
import type { Owed } from './group-payees.ts';

const PART = `p.project_id as "projectId", p.payout_id as "payoutId", p.number,
  p.batch_id as "batchId", p.participant_id as "participantId", p.method, p.currency,
  p.currency_exponent as "currencyExponent", p.amount_minor as "amountMinor", p.status,
  p.provider_reference as "providerReference", p.failure_reason as "failureReason",
  p.failure_message as "failureMessage", p.paid_at as "paidAt", p.created_at as "createdAt",
  p.updated_at as "updatedAt"`;
const LINE = `l.payout_id as "payoutId", l.reward_id as "rewardId",
  l.amount_minor as "amountMinor", l.state`;
/** The condition of the index `payout_lines_open`. */
const IS_OPEN = `l.state in ('reserved', 'frozen')`;

type StoredPart = Omit<PartRow, 'number'> & { readonly number: bigint };

function toPart({ number, ...part }: StoredPart): PartRow {
  return { ...part, number: Number(number) };
}

/**
 * A reward that has an amount due and is in no open payout. During a review or a dispute, only what is to come back is
 * due.
 */
const IS_DUE = `r.payout_due_minor <> 0 and r.payout_id is null
  and (not (r.is_under_review or r.is_disputed) or r.payout_due_minor < 0)`;

type OwedRow = Omit<Owed, 'projectId' | 'details'>;

/** What is due by `cutoff`, per participant; null for all currencies. */
export async function listOwed(
  db: Queryable,
  projectId: string,
  currency: string | null,
  cutoff: Instant,
): Promise<OwedRow[]> {
  const rows = await db.query<
    Omit<OwedRow, 'dueMinor' | 'grossMinor'> & { dueMinor: string; grossMinor: string }
  >(
    `select o.*, p.partner_id as "partnerId" from (
       select r.beneficiary_participant_id as "participantId", r.currency,
         r.currency_exponent as "currencyExponent",
         sum(r.payout_due_minor)::text as "dueMinor",
         sum(abs(r.payout_due_minor))::text as "grossMinor"
       from rewards r
       where r.project_id = $1 and ($2::text is null or r.currency = $2)
         and r.available_at <= $3 and ${IS_DUE}
       group by 1, 2, 3) as o
     join participants p on p.project_id = $1 and p.id = o."participantId"
     order by o."participantId", o.currency`,
    [projectId, currency, cutoff],
  );
  return rows.map((row) => ({
    ...row,
    dueMinor: BigInt(row.dueMinor),
    grossMinor: BigInt(row.grossMinor),
  }));
}

interface DueSelection {
  readonly currency: string;
  readonly participantIds: readonly string[];
  readonly cutoff: Instant;
  readonly limit: number;
}

/**
 * Rewards of these participants that can be reserved, at most `limit`. With a reason: only pending
 * ones that have another reason recorded.
 */
export async function listDueRewardIds(
  tx: Tx,
  projectId: string,
  { currency, participantIds, cutoff, limit }: DueSelection,
  reason?: string,
): Promise<string[]> {
  const hasOtherReason = `and r.fulfillment_status = 'pending' and r.delivery_reason is distinct from $6`;
  const rows = await tx.query<{ id: string }>(
    `select r.id from unnest($2::text[]) as asked (participant_id)
     cross join lateral (select r.id from rewards r
       where r.project_id = $1 and r.currency = $3
         and r.beneficiary_participant_id = asked.participant_id
         and r.available_at <= $4 and ${IS_DUE} ${reason === undefined ? '' : hasOtherReason}
       order by r.number limit $5) as r
     limit $5`,
    [projectId, participantIds, currency, cutoff, limit, ...(reason === undefined ? [] : [reason])],
  );
  return rows.map(({ id }) => id);
}

/** In the order of the project's list. */
export async function listParts(db: Queryable, projectId: string, payoutIds: readonly string[]) {
  const rows = await db.query<StoredPart>(
    `select ${PART} from unnest($2::text[]) as asked (payout_id)
     cross join lateral (select * from payout_parts p
       where p.project_id = $1 and p.payout_id = asked.payout_id offset 0) as p
     order by p.number`,
    [projectId, payoutIds],
  );
  return rows.map(toPart);
}

type PartSum = Pick<PartRow, 'payoutId' | 'amountMinor'>;

export function listPartSums(db: Queryable, projectId: string, batchId: string) {
  return db.query<PartSum>(
    `select payout_id as "payoutId", amount_minor as "amountMinor" from payout_parts
     where project_id = $1 and batch_id = $2 order by number`,
    [projectId, batchId],
  );
}

/** New ones as they are; of those that are there, only the amount grows. */
export const upsertParts = insertRows<PartRow>(
  'payout_parts',
  {
    payout_id: text(({ payoutId }) => payoutId),
    number: bigint(({ number }) => number),
    batch_id: text(({ batchId }) => batchId),
    participant_id: text(({ participantId }) => participantId),
    method: text(({ method }) => method),
    currency: text(({ currency }) => currency),
    currency_exponent: integer(({ currencyExponent }) => currencyExponent),
    amount_minor: bigint(({ amountMinor }) => amountMinor),
    status: text(({ status }) => status),
    created_at: timestamptz(({ createdAt }) => createdAt),
    updated_at: timestamptz(({ updatedAt }) => updatedAt),
  },
  `on conflict (project_id, payout_id) do update
   set amount_minor = payout_parts.amount_minor + excluded.amount_minor,
     updated_at = excluded.updated_at`,
);

/** Writes what can change of each but the amount. */
export const updateParts = updateRows<PartRow>(
  'payout_parts',
  { payout_id: text(({ payoutId }) => payoutId) },
  {
    status: text(({ status }) => status),
    provider_reference: text(({ providerReference }) => providerReference),
    failure_reason: text(({ failureReason }) => failureReason),
    failure_message: text(({ failureMessage }) => failureMessage),
    paid_at: timestamptz(({ paidAt }) => paidAt),
    updated_at: timestamptz(({ updatedAt }) => updatedAt),
  },
);

const LINE_KEYS: Columns<LineRow> = {
  payout_id: text(({ payoutId }) => payoutId),
  reward_id: text(({ rewardId }) => rewardId),
};
const LINE_STATE: Columns<LineRow> = {
  amount_minor: bigint(({ amountMinor }) => amountMinor),
  state: text(({ state }) => state),
};

export const insertLines = insertRows('payout_lines', { ...LINE_KEYS, ...LINE_STATE });

/** Writes amount and state of each. */
export const updateLines = updateRows('payout_lines', LINE_KEYS, LINE_STATE);

export function deleteLines(tx: Tx, projectId: string, lines: readonly LineRow[]): void {
  tx.send(
    `delete from payout_lines l
     using (select $1::text as project_id, n.* from unnest($2::text[], $3::text[])
       as n (payout_id, reward_id) offset 0) as n
     where l.project_id = $1 and l.project_id = n.project_id and l.payout_id = n.payout_id
       and l.reward_id = n.reward_id`,
    [projectId, lines.map(({ payoutId }) => payoutId), lines.map(({ rewardId }) => rewardId)],
  );
}

/** Lines of a batch that are reserved and not frozen yet, part by part: each draft has some. */
export function listReservedLines(tx: Tx, projectId: string, batchId: string, limit: number) {
  return tx.query<LineRow>(
    `select ${LINE} from (select payout_id, number from payout_parts
       where project_id = $1 and batch_id = $2 and status = 'draft'
       order by number limit $3 offset 0) as p
     cross join lateral (select * from payout_lines l
       where l.project_id = $1 and l.payout_id = p.payout_id and l.state = 'reserved'
       offset 0) as l
     order by p.number, l.reward_id limit $3`,
    [projectId, batchId, limit],
  );
}

/**
 * Approves those of these parts that have no reserved lines left, with the sum of their lines. A
 * sum too large to be stored is stored as a value above the maximum of a transfer.
 */
export function updateFrozenParts(
  tx: Tx,
  projectId: string,
  payoutIds: readonly string[],
  now: Instant,
): void {
  tx.send(
    `update payout_parts p set status = 'approved', updated_at = $3, amount_minor = n.amount_minor
     from (select $1::text as project_id, asked.payout_id, l.amount_minor
       from unnest($2::text[]) as asked (payout_id)
       cross join lateral (select
           greatest(least(coalesce(sum(l.amount_minor), 0), 1e18), -1e18)::bigint as amount_minor,
           coalesce(bool_or(l.state = 'reserved'), false) as has_reserved
         from payout_lines l
         where l.project_id = $1 and l.payout_id = asked.payout_id offset 0) as l
       where not l.has_reserved offset 0) as n
     where p.project_id = $1 and p.project_id = n.project_id and p.payout_id = n.payout_id and p.status = 'draft'`,
    [projectId, payoutIds, now],
  );
}

/** Moves a slice of a batch's parts; returns the count. */
export async function updateStatusOfParts(
  tx: Tx,
  projectId: string,
  batchId: string,
  { from, to, now, limit }: StatusMove & { readonly limit: number },
): Promise<number> {
  const rows = await tx.query(
    `update payout_parts p set status = $4, updated_at = $5
     from (select payout_id from payout_parts where project_id = $1 and batch_id = $2
       and status = $3 order by number limit $6) as n
     where p.project_id = $1 and p.payout_id = n.payout_id
     returning 1`,
    [projectId, batchId, from, to, now, limit],
  );
  return rows.length;
}

/**
 * Open lines, and for parts that ask for them also settled ones: part by part, in the given order.
 */
export function listLinesToMove(
  tx: Tx,
  projectId: string,
  parts: readonly { readonly payoutId: string; readonly withSettled: boolean }[],
  limit: number,
): Promise<LineRow[]> {
  return tx.query<LineRow>(
    `select ${LINE} from unnest($2::text[], $3::boolean[]) with ordinality
       as asked (payout_id, with_settled, place)
     join payout_lines l on l.project_id = $1 and l.payout_id = asked.payout_id
       and (${IS_OPEN} or (asked.with_settled and l.state = 'settled'))
     order by asked.place, l.reward_id limit $4`,
    [
      projectId,
      parts.map(({ payoutId }) => payoutId),
      parts.map(({ withSettled }) => withSettled),
      limit,
    ],
  );
}

export function listLines(db: Queryable, projectId: string, payoutIds: readonly string[]) {
  return db.query<LineRow>(
    `select ${LINE} from unnest($2::text[]) as asked (payout_id)
     join payout_lines l on l.project_id = $1 and l.payout_id = asked.payout_id
     order by l.payout_id, l.reward_id`,
    [projectId, payoutIds],
  );
}

const FILTERED = {
  batchId: 'batch_id',
  participantId: 'participant_id',
  status: 'status',
  method: 'method',
  currency: 'currency',
} as const;
export type PartFilter = Readonly<Record<keyof typeof FILTERED, string | null>>;

/** Newest or oldest first. */
export async function listPartPage(
  db: Queryable,
  projectId: string,
  filter: PartFilter,
  { order, behind, limit }: OrderedNumberPage,
): Promise<PartRow[]> {
  const params: unknown[] = [projectId];
  const conditions = ['p.project_id = $1'];
  for (const [field, value] of Object.entries(filter)) {
    if (value === null) continue;
    conditions.push(`p.${FILTERED[field as keyof PartFilter]} = $${params.push(value)}`);
  }
  if (behind !== null) {
    conditions.push(`p.number ${order === 'asc' ? '>' : '<'} $${params.push(behind)}`);
  }
  const rows = await db.query<StoredPart>(
    `select ${PART} from payout_parts p where ${conditions.join(' and ')}
     order by p.number ${order} limit $${params.push(limit)}`,
    params,
  );
  return rows.map(toPart);
}

/** Filters with an index of their own, the narrowest first. */
const INDEXED = ['batchId', 'participantId', 'status'] as const satisfies (keyof PartFilter)[];

export interface PartSums extends LookedSum {
  readonly amountMinor: string;
}

/**
 * Number and sums of what matches, by currency. Looks at no more rows than are counted and one: those that the index
 * of the narrowest filter finds. With an equality the planner might choose another index, and scan all of it.
 */
export function sumParts(
  db: Queryable,
  projectId: string,
  filter: PartFilter,
): Promise<PartSums[]> {
  const params: unknown[] = [projectId];
  const param = (value: unknown) => `$${params.push(value)}`;
  const by = INDEXED.find((field) => filter[field] !== null);
  const value = by && param(filter[by]);
  const column = by && `p.${FILTERED[by]}`;
  const indexed = [
    'p.project_id = $1',
    ...(by ? [`${column} >= ${value}`, `${column} <= ${value}`] : []),
  ];
  const others = (Object.keys(FILTERED) as (keyof PartFilter)[])
    .filter((field) => field !== by && filter[field] !== null)
    .map((field) => `p.${FILTERED[field]} = ${param(filter[field])}`);
  const matching = `filter (where ${['true', ...others].join(' and ')})`;
  return db.query<PartSums>(
    `select p.currency, p.currency_exponent as "currencyExponent", count(*)::integer as looked,
       count(*) ${matching}::integer as count,
       coalesce(sum(p.amount_minor) ${matching}, 0)::text as "amountMinor"
     from (select p.* from payout_parts p where ${indexed.join(' and ')}
       order by ${by ? `${column} desc, ` : ''}p.number desc limit ${param(COUNTED_MAX + 1)}) as p
     group by p.currency, p.currency_exponent`,
    params,
  );
}

/** Those of these batches that have payouts of this project without a result; each must be given once. */
export const listAwaiting = listValues<string, [projectId: string, batchIds: readonly string[]]>(
  `select b.asked_id from unnest($2::text[]) as b (asked_id)
     cross join lateral (select 1 from payout_parts p
       where p.project_id = $1 and p.batch_id = b.asked_id and p.status = 'processing'
       limit 1 offset 0) as p`,
);

type Standing = Pick<PayoutBatchDetail, 'payeeCount' | 'payoutsByStatus'>;

/**
 * The number of a batch's payouts in this project by status, and of payees without cancelled
 * payouts.
 */
export async function countParts(db: Queryable, projectId: string, batchId: string) {
  const payoutsByStatus = await db.query<Standing['payoutsByStatus'][number]>(
    `select p.status, count(*)::integer as count from payout_parts p
     where p.project_id = $1 and p.batch_id = $2 group by p.status order by p.status`,
    [projectId, batchId],
  );
  const [row] = await db.query<{ payees: number }>(
    `select count(distinct p.participant_id)::integer as payees from payout_parts p
     where p.project_id = $1 and p.batch_id = $2 and p.status <> 'cancelled'`,
    [projectId, batchId],
  );
  return { payeeCount: row?.payees ?? 0, payoutsByStatus };
}

/** Parts of transfers that were ordered from a provider, newest first. */
export async function listOrderedParts(
  db: Queryable,
  projectId: string,
  below: number | null,
  limit: number,
): Promise<PartRow[]> {
  const rows = await db.query<StoredPart>(
    `select ${PART} from payout_parts p
     where p.project_id = $1 and ($2::bigint is null or p.number < $2)
       and p.method <> 'manual_export' and p.status in ('processing', 'paid', 'failed', 'returned')
     order by p.number desc limit $3`,
    [projectId, below, limit],
  );
  return rows.map(toPart);
}

type ExportedPart = Pick<PartRow, 'payoutId' | 'participantId'>;

/** The payees of a batch's payouts in this project. */
export function listPayees(db: Queryable, projectId: string, payoutIds: readonly string[]) {
  return db.query<ExportedPart>(
    `select p.payout_id as "payoutId", p.participant_id as "participantId"
     from unnest($2::text[]) as asked (payout_id)
     join payout_parts p on p.project_id = $1 and p.payout_id = asked.payout_id
     order by p.number`,
    [projectId, payoutIds],
  );
}

/** In the order of their numbers, after the given one. */
export async function listPartsBehind(
  db: Queryable,
  projectId: string,
  participantId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ payoutId: string; number: number }[]> {
  const rows = await db.query<{ payoutId: string; number: bigint }>(
    `select payout_id as "payoutId", number from payout_parts
     where project_id = $1 and participant_id = $2 and number > $3 order by number limit $4`,
    [projectId, participantId, after, limit],
  );
  return rows.map(({ payoutId, number }) => ({ payoutId, number: Number(number) }));
}

/** Also clears it on the transfer, which has a single payee. */
export function clearFailureMessages(
  tx: Tx,
  projectId: string,
  payoutIds: readonly string[],
): void {
  tx.send(
    `update payout_parts p set failure_message = null
     from (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as k
     where p.project_id = $1 and p.project_id = k.project_id and p.payout_id = k.id and p.failure_message is not null`,
    [projectId, payoutIds],
  );
  tx.send(
    `update payouts p set failure_message = null
     from (select k.id from unnest($1::text[]) as k (id) offset 0) as k
     where p.id = k.id and p.failure_message is not null`,
    [payoutIds],
  );
}
