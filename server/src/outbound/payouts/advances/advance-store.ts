import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow, listRows, sendWrite } from '../../../platform/db/statements.ts';
import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { PayoutMethod } from '../methods.ts';
import type { PayoutRow } from '../transfers/payout.ts';
import type { AdvanceBalance, AdvanceRow, AdvanceUse } from './advance.ts';

/** A use counts while its payout may still pay, or has paid. */
const COUNTS = `p.status in ('draft', 'approved', 'processing', 'paid')`;

const BALANCE = `a.id, a.workspace_id as "workspaceId", a.environment, a.restore_id as "restoreId",
  a.connection_id as "connectionId", a.method, a.reference, a.payout_id as "payoutId", a.payee,
  a.fingerprint, a.label, a.currency, a.currency_exponent as "currencyExponent",
  a.amount_minor as "amountMinor", a.made_at as "madeAt", a.status, a.decided_by as "decidedBy",
  a.reason, a.created_at as "createdAt", a.updated_at as "updatedAt",
  (case when a.status = 'counted' then a.amount_minor else 0 end
    - coalesce((select sum(u.amount_minor) from payout_advance_uses u
        join payouts p on p.id = u.payout_id
        where u.advance_id = a.id and ${COUNTS}), 0))::bigint as "leftMinor"`;

/** Skips those that are there: a page that is read again adds nothing. */
export function insertAdvances(tx: Tx, rows: readonly AdvanceRow[]): void {
  for (const row of rows) {
    tx.send(
      `insert into payout_advances (id, workspace_id, environment, restore_id, connection_id,
         method, reference, payout_id, payee, fingerprint, label, currency, currency_exponent,
         amount_minor, made_at, status, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
       on conflict (connection_id, reference) do nothing`,
      [
        row.id,
        row.workspaceId,
        row.environment,
        row.restoreId,
        row.connectionId,
        row.method,
        row.reference,
        row.payoutId,
        row.payee,
        row.fingerprint,
        row.label,
        row.currency,
        row.currencyExponent,
        row.amountMinor,
        row.madeAt,
        row.status,
        row.createdAt,
      ],
    );
  }
}

/**
 * Locks the advances of a workspace that payouts in these currencies may use, oldest first, until
 * the transaction ends: two batches cannot use one advance twice.
 */
export async function lockUsable(
  tx: Tx,
  place: { readonly workspaceId: string; readonly environment: Environment },
  currencies: readonly string[],
): Promise<AdvanceBalance[]> {
  const params = [place.workspaceId, place.environment, currencies];
  const where = `a.workspace_id = $1 and a.environment = $2 and a.currency = any($3::text[])
    and a.status = 'counted'`;
  await tx.query(`select 1 from payout_advances a where ${where} order by a.id for update`, params);
  // Read after the lock is there: what another batch has used until then counts.
  return tx.query<AdvanceBalance>(
    `select ${BALANCE} from payout_advances a where ${where} order by a.made_at, a.id`,
    params,
  );
}

/** The covered parts are those of the uses. */
export function insertUses(tx: Tx, uses: readonly AdvanceUse[]): void {
  if (uses.length === 0) return;
  const columns = [
    uses.map(({ advanceId }) => advanceId),
    uses.map(({ payoutId }) => payoutId),
    uses.map(({ amountMinor }) => amountMinor),
  ];
  tx.send(
    `insert into payout_advance_uses (advance_id, payout_id, amount_minor)
     select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict (advance_id, payout_id) do update
       set amount_minor = payout_advance_uses.amount_minor + excluded.amount_minor`,
    columns,
  );
  tx.send(
    `update payouts p set covered_minor = p.covered_minor + n.sum
     from (select payout_id, sum(amount_minor)::bigint as sum
       from unnest($1::text[], $2::bigint[]) as n (payout_id, amount_minor)
       group by payout_id) as n
     where p.id = n.payout_id`,
    columns.slice(1),
  );
}

/**
 * The payouts of a workspace whose amounts are fixed, and that nothing was sent for according to
 * their provider's list since `listedSince`. An order of before, or of a provider without a list,
 * may be under way.
 */
export const listFixed = listRows<
  Pick<PayoutRow, 'id' | 'payee' | 'currency' | 'batchId' | 'projectIds' | 'environment'> & {
    readonly amountMinor: bigint;
  },
  [workspaceId: string, listedSince: Instant, listed: readonly PayoutMethod[]]
>(
  `select id, payee, currency, batch_id as "batchId", project_ids as "projectIds", environment,
     amount_minor - covered_minor as "amountMinor"
   from payouts
   where workspace_id = $1 and amount_minor > covered_minor
     and (status = 'approved' or (status = 'processing' and provider_reference is null
       and method = any($3::text[]) and (sent_at is null or sent_at >= $2)))
   order by id`,
);

export const lockAdvance = findRow<
  { readonly id: string },
  [workspaceId: string, advanceId: string],
  Tx
>('select id from payout_advances where workspace_id = $1 and id = $2 for update');

export const findAdvance = findRow<AdvanceBalance, [workspaceId: string, advanceId: string]>(
  `select ${BALANCE} from payout_advances a where a.workspace_id = $1 and a.id = $2`,
);

/** Of one restore, newest first. */
export const listAdvances = listRows<
  AdvanceBalance,
  [workspaceId: string, restoreId: string, before: string | null, limit: number]
>(
  `select ${BALANCE} from payout_advances a
   where a.workspace_id = $1 and a.restore_id = $2 and ($3::text is null or a.id < $3)
   order by a.id desc limit $4`,
);

export const listUsesOf = listRows<AdvanceUse, [advanceIds: readonly string[]]>(
  `select u.advance_id as "advanceId", u.payout_id as "payoutId", u.amount_minor as "amountMinor"
   from payout_advance_uses u join payouts p on p.id = u.payout_id
   where u.advance_id = any($1::text[]) and ${COUNTS} order by u.payout_id`,
);

export interface AdvanceTotal {
  readonly currency: string;
  readonly currencyExponent: number;
  readonly count: number;
  readonly amountMinor: bigint;
  readonly leftMinor: bigint;
  /** Those whose payee is not known. */
  readonly unassigned: number;
}

/** The counted advances of a restore by currency. */
export const sumAdvances = listRows<AdvanceTotal, [workspaceId: string, restoreId: string]>(
  `select a.currency, max(a."currencyExponent")::integer as "currencyExponent",
     count(*)::integer as count, sum(a."amountMinor")::bigint as "amountMinor",
     sum(a."leftMinor")::bigint as "leftMinor",
     count(*) filter (where a.payee is null)::integer as unassigned
   from (select ${BALANCE} from payout_advances a
     where a.workspace_id = $1 and a.restore_id = $2 and a.status = 'counted') as a
   group by a.currency order by a.currency`,
);

export const updateDecision = sendWrite<
  [
    advanceId: string,
    status: string,
    payee: string | null,
    decidedBy: string,
    reason: string,
    now: Instant,
  ]
>(
  `update payout_advances set status = $2, payee = coalesce($3, payee), decided_by = $4,
     reason = $5, updated_at = $6
   where id = $1`,
);

/** The provider's id of a transfer that covers a payout. */
export async function findCoverReference(db: Queryable, payoutId: string): Promise<string | null> {
  const [row] = await db.query<{ reference: string }>(
    `select a.reference from payout_advance_uses u join payout_advances a on a.id = u.advance_id
     where u.payout_id = $1 order by a.made_at desc, a.id desc limit 1`,
    [payoutId],
  );
  return row?.reference ?? null;
}

type Candidate = Pick<
  PayoutRow,
  'id' | 'workspaceId' | 'status' | 'isSent' | 'attempt' | 'providerReference' | 'payee' | 'batchId'
>;

const CANDIDATE = `p.id, p.status, p.is_sent as "isSent", p.attempt,
  p.provider_reference as "providerReference", p.payee, p.batch_id as "batchId", p.workspace_id as "workspaceId"`;

/** The payouts, of any workspace, that ordered these transfers. */
export const listOrdering = listRows<Candidate, [payoutIds: readonly string[]]>(
  `select ${CANDIDATE} from payouts p where p.id = any($1::text[])`,
);

/** The payouts that may have ordered a transfer since a time. */
export const listCandidates = listRows<
  Candidate,
  [workspaceId: string, environment: Environment, method: PayoutMethod, since: Instant]
>(
  `select ${CANDIDATE} from payouts p
   where p.workspace_id = $1 and p.environment = $2 and p.method = $3
     and (p.status in ('draft', 'approved', 'processing') or p.sent_at >= $4
       or p.updated_at >= $4)`,
);

/** A transfer was made under this attempt: the next call looks it up. */
export function updateFound(
  tx: Tx,
  found: {
    readonly payoutId: string;
    readonly attempt: number;
    readonly sentAt: Instant;
    readonly reference: string;
    readonly connectionId: string;
  },
  now: Instant,
): void {
  tx.send(
    `update payouts set attempt = $2, is_sent = true, provider_reference = $4,
       sent_at = case when attempt = $2 then coalesce(sent_at, $3) else $3 end,
       connection_id = $5, failure_code = null, tries = 0, due_at = $6, lease_id = null
     where id = $1 and status = 'processing' and (attempt < $2
       or (attempt = $2 and (not is_sent or provider_reference is null)))`,
    [found.payoutId, found.attempt, found.sentAt, found.reference, found.connectionId, now],
  );
}

/** Only ids remain of an erased person. */
export const clearAccountsOf = sendWrite<[payee: string, fingerprints: readonly string[]]>(
  `update payout_advances set fingerprint = null, label = null
   where payee = $1 or fingerprint = any($2::text[])`,
);
