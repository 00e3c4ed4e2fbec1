import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { NextCall } from './decide-call.ts';
import type {
  BatchRow,
  CancelReason,
  PayoutRow,
  ProjectPlace,
  Standing,
  StatusMove,
  TransferHint,
} from './payout.ts';

const PAYOUT = `id, workspace_id as "workspaceId", environment, batch_id as "batchId", method, payee, currency,
  currency_exponent as "currencyExponent", project_ids as "projectIds",
  amount_minor as "amountMinor", covered_minor as "coveredMinor", status, provider_reference as "providerReference",
  failure_reason as "failureReason", failure_message as "failureMessage", paid_at as "paidAt",
  is_applied as "isApplied", attempt, is_sent as "isSent", sent_at as "sentAt",
  connection_id as "connectionId", details_id as "detailsId",
  failure_code as "failureCode", unanswered_since as "unansweredSince",
  cancel_reason as "cancelReason", tries, due_at as "dueAt",
  lease_id as "leaseId", created_at as "createdAt", updated_at as "updatedAt"`;

/** For joins with another relation that has an id. */
const CLAIMED = PAYOUT.replace('id,', 'p.id,');

type NewPayout = Pick<PayoutRow, 'id' | 'payee' | 'currency' | 'currencyExponent'>;

/** Skips payees that already have a payout in this currency in the batch. */
export function insertPayouts(
  tx: Tx,
  batch: Pick<BatchRow, 'id' | 'workspaceId' | 'environment' | 'method'>,
  payouts: readonly NewPayout[],
  now: Instant,
): void {
  tx.send(
    `insert into payouts (id, workspace_id, environment, batch_id, method, payee, currency,
       currency_exponent, project_ids, amount_minor, status, is_applied, attempt, is_sent, tries, created_at,
       updated_at)
     select n.id, $2, $9, $1, $3, n.payee, n.currency, n.currency_exponent,
       '{}', 0, 'draft', true, 1, false, 0, $4, $4
     from unnest($5::text[], $6::text[], $7::text[], $8::integer[])
       as n (id, payee, currency, currency_exponent)
     on conflict (batch_id, payee, currency) do nothing`,
    [
      batch.id,
      batch.workspaceId,
      batch.method,
      now,
      payouts.map(({ id }) => id),
      payouts.map(({ payee }) => payee),
      payouts.map(({ currency }) => currency),
      payouts.map(({ currencyExponent }) => currencyExponent),
      batch.environment,
    ],
  );
}

export function listPayoutsOfBatch(db: Queryable, batchId: string): Promise<PayoutRow[]> {
  return db.query<PayoutRow>(`select ${PAYOUT} from payouts where batch_id = $1 order by id`, [
    batchId,
  ]);
}

/** The condition of the index `payouts_by_payee`. */
const IS_SENT = `status in ('processing', 'paid', 'failed', 'returned')`;

/** The payouts sent to one payee, newest first. */
export function listPayoutsTo(
  db: Queryable,
  payee: string,
  beforeId: string | null,
  limit: number,
): Promise<PayoutRow[]> {
  // With an equality the planner would scan all payouts, newest first, until it has found enough of
  // this payee. Only the payee's index has this order.
  return db.query<PayoutRow>(
    `select ${PAYOUT} from payouts
     where payee >= $1 and payee <= $1 and ${IS_SENT} ${beforeId === null ? '' : 'and id < $3'}
     order by payee desc, id desc limit $2`,
    [payee, limit, ...(beforeId === null ? [] : [beforeId])],
  );
}

export async function findPayout(db: Queryable, payoutId: string): Promise<PayoutRow | undefined> {
  return (await listPayouts(db, [payoutId]))[0];
}

export function listPayouts(db: Queryable, payoutIds: readonly string[]): Promise<PayoutRow[]> {
  return db.query<PayoutRow>(`select ${PAYOUT} from payouts where id = any($1::text[])`, [
    payoutIds,
  ]);
}

export async function findReferences(db: Queryable, payoutIds: readonly string[]) {
  if (payoutIds.length === 0) return new Map<string, string>();
  const rows = await db.query<{ id: string; reference: string }>(
    `select id, provider_reference as reference from payouts
     where id = any($1::text[]) and provider_reference is not null`,
    [payoutIds],
  );
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

/** A transfer that may be under way through this account. */
export async function findOpenTransfer(db: Queryable, connectionId: string) {
  const [row] = await db.query<{ id: string }>(
    `select id from payouts
     where connection_id = $1 and status = 'processing' and sent_at is not null limit 1`,
    [connectionId],
  );
  return row?.id;
}

/**
 * Makes payouts with possible news due for a lookup, and saves the provider's reference. Returns
 * the count: 0 if a process is about to ask anyway. A failure code is saved in any case, and also
 * makes a returned payout due.
 */
export async function updateHinted(tx: Tx, hint: TransferHint, now: Instant): Promise<number> {
  const rows = await tx.query(
    `update payouts set provider_reference = coalesce(provider_reference, $3),
       failure_code = coalesce($4, failure_code),
       due_at = case when lease_id is null then $5 else due_at end
     where connection_id = $1 and (id = $2 or provider_reference = $3) and sent_at is not null
       and (lease_id is null or $4::text is not null)
       and (status in ('processing', 'paid')
         or (status = 'returned' and failure_code is distinct from coalesce($4, failure_code)))
     returning 1`,
    [hint.connectionId, hint.payoutId, hint.reference, hint.failureCode, now],
  );
  return rows.length;
}

/** Locks them until the transaction ends, always in the order of ids. */
export function lockPayouts(tx: Tx, payoutIds: readonly string[]): Promise<PayoutRow[]> {
  return tx.query<PayoutRow>(
    `select ${PAYOUT} from payouts where id = any($1::text[]) order by id for no key update`,
    [payoutIds],
  );
}

export interface Sum {
  readonly payoutId: string;
  readonly projectIds: readonly string[];
  readonly amountMinor: bigint;
}

/**
 * The sums of payouts' parts, and their projects. Sums too large to be stored belong to payouts
 * that will be cancelled: those keep their last sum.
 */
export function updateSums(tx: Tx, all: readonly Sum[], now: Instant): void {
  const sums = all.filter(({ amountMinor }) => BigInt.asIntN(64, amountMinor) === amountMinor);
  tx.send(
    `update payouts p set amount_minor = n.amount_minor,
       project_ids = string_to_array(n.project_ids, ' '), updated_at = $1
     from unnest($2::text[], $3::bigint[], $4::text[]) as n (id, amount_minor, project_ids)
     where p.id = n.id`,
    [
      now,
      sums.map(({ payoutId }) => payoutId),
      sums.map(({ amountMinor }) => amountMinor),
      sums.map(({ projectIds }) => projectIds.join(' ')),
    ],
  );
}

/** Deletes payouts without reserved rewards. */
export function deletePayouts(tx: Tx, payoutIds: readonly string[]): void {
  tx.send('delete from payouts where id = any($1::text[])', [payoutIds]);
}

/**
 * Moves all payouts of a batch in this status, without applying it to projects. One that was paid
 * in advance needs no transfer, whoever makes those of the batch.
 */
export function updateStatusOfBatch(
  tx: Tx,
  batchId: string,
  { from, to, now, dueAt }: StatusMove & { readonly dueAt: Instant | null },
): void {
  tx.send(
    `update payouts set status = $3, updated_at = $4,
       due_at = case when $6 and covered_minor = amount_minor then $4::timestamptz else $5::timestamptz end
     where batch_id = $1 and status = $2`,
    [batchId, from, to, now, dueAt, to === 'processing'],
  );
}

/** Saves new standings, to be applied to the payouts' projects. Their next call is cleared. */
export function updateStandings(
  tx: Tx,
  standings: readonly (Standing & { readonly id: string })[],
  now: Instant,
): void {
  tx.send(
    `update payouts p set status = n.status, provider_reference = n.provider_reference,
       failure_reason = n.failure_reason, failure_message = n.failure_message,
       paid_at = n.paid_at, is_applied = false, due_at = null, lease_id = null, updated_at = $1
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
       as n (id, status, provider_reference, failure_reason, failure_message, paid_at)
     where p.id = n.id`,
    [
      now,
      standings.map(({ id }) => id),
      standings.map(({ status }) => status),
      standings.map(({ providerReference }) => providerReference),
      standings.map(({ failureReason }) => failureReason),
      standings.map(({ failureMessage }) => failureMessage),
      standings.map(({ paidAt }) => paidAt),
    ],
  );
}

/** The payouts that the approval cancels; to be applied to their projects. */
export function updateGivenUp(
  tx: Tx,
  payouts: readonly {
    readonly id: string;
    readonly reason: CancelReason;
    readonly message: string;
  }[],
  now: Instant,
): void {
  tx.send(
    `update payouts p set status = 'cancelled', cancel_reason = n.reason,
       failure_message = n.message, is_applied = false, updated_at = $1
     from unnest($2::text[], $3::text[], $4::text[]) as n (id, reason, message)
     where p.id = n.id`,
    [
      now,
      payouts.map(({ id }) => id),
      payouts.map(({ reason }) => reason),
      payouts.map(({ message }) => message),
    ],
  );
}

/** Unless they have changed meanwhile. */
export function updateApplied(tx: Tx, payouts: readonly PayoutRow[]): void {
  tx.send(
    `update payouts p set is_applied = true
     from unnest($1::text[], $2::text[], $3::text[]) as n (id, status, failure_reason)
     where p.id = n.id and p.status = n.status
       and p.failure_reason is not distinct from n.failure_reason`,
    [
      payouts.map(({ id }) => id),
      payouts.map(({ status }) => status),
      payouts.map(({ failureReason }) => failureReason),
    ],
  );
}

/** Payouts not yet applied to their projects, longest waiting first. */
export function listUnapplied(db: Queryable, before: Instant, limit: number): Promise<PayoutRow[]> {
  return db.query<PayoutRow>(
    `select ${PAYOUT} from payouts where not is_applied and updated_at <= $1
     order by updated_at, id limit $2`,
    [before, limit],
  );
}

/** The store of their workspace was not restored, or was released since. */
const PAYS = `not exists (select 1 from restores r
  where r.workspace_id = payouts.workspace_id and r.released_at is null)`;

/**
 * Leases payouts with a due call, longest waiting first. Skips those that others have leased. They are chosen once: as
 * a joined subquery they could be chosen anew for each payout, and the limit would limit nothing.
 */
export function claimPayouts(
  tx: Tx,
  claim: {
    readonly now: Instant;
    readonly leaseId: string;
    readonly leasedUntil: Instant;
    readonly limit: number;
  },
): Promise<PayoutRow[]> {
  return tx.query<PayoutRow>(
    `with due as materialized (
       select id from payouts where due_at <= $1 and ${PAYS}
       order by due_at, id limit $4 for update skip locked)
     update payouts p set lease_id = $2, due_at = $3
     from due where p.id = due.id
     returning ${CLAIMED}`,
    [claim.now, claim.leaseId, claim.leasedUntil, claim.limit],
  );
}

/**
 * Records that an order is about to be sent: from here on only the provider knows whether it was.
 * Renews the lease. Returns false if another process has it by now.
 */
export async function updateSent(
  tx: Tx,
  payoutId: string,
  leaseId: string,
  order: {
    readonly now: Instant;
    readonly leasedUntil: Instant;
    readonly connectionId: string;
    /** Null keeps the details that it went to before. */
    readonly detailsId: string | null;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `update payouts set is_sent = true, sent_at = coalesce(sent_at, $3), connection_id = $4,
       details_id = coalesce($5, details_id), due_at = $6
     where id = $1 and lease_id = $2 and status = 'processing' and not is_sent returning 1`,
    [payoutId, leaseId, order.now, order.connectionId, order.detailsId, order.leasedUntil],
  );
  return rows.length > 0;
}

/** Saves when and how to call next, and ends the lease. */
export function updateDueCall(
  tx: Tx,
  call: NextCall & { readonly id: string },
  now: Instant,
): void {
  tx.send(
    `update payouts set attempt = $2, is_sent = $3, tries = $4, due_at = $5,
       provider_reference = $6, failure_code = $7, sent_at = $8, unanswered_since = $9,
       lease_id = null, updated_at = $10
     where id = $1`,
    [
      call.id,
      call.attempt,
      call.isSent,
      call.tries,
      call.dueAt,
      call.providerReference,
      call.failureCode,
      call.sentAt,
      call.unansweredSince,
      now,
    ],
  );
}

/** How many of a project's transfers have been unanswered since a time; at most `most`. */
export async function countUnanswered(
  db: Queryable,
  place: ProjectPlace,
  since: Instant,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (select 1 from payouts
     where workspace_id = $1 and environment = $2 and status = 'processing'
       and unanswered_since <= $4 and $3 = any(project_ids) limit $5) as found`,
    [place.workspaceId, place.environment, place.id, since, most],
  );
  return row?.count ?? 0;
}

interface PayoutBacklog {
  /** Transfers whose outcome the provider could not report yet. */
  readonly unanswered: number;
  readonly firstUnansweredAt: Instant | null;
  /** When the most overdue call to a provider was due. */
  readonly firstDueAt: Instant | null;
}

/** The transfers with problems in all workspaces, for operators. */
export async function readPayoutBacklog(db: Queryable, now: Instant) {
  const [row] = await db.query<PayoutBacklog>(
    `select count(*)::integer as unanswered, min(unanswered_since) as "firstUnansweredAt",
       (select min(due_at) from payouts where due_at <= $1 and ${PAYS}) as "firstDueAt"
     from payouts where status = 'processing' and unanswered_since is not null`,
    [now],
  );
  return row ?? { unanswered: 0, firstUnansweredAt: null, firstDueAt: null };
}
