import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import type { PayoutRow } from './payout.ts';
import { PAYOUT_OF_P } from './payout-store.ts';

/** Leases payouts that a call is due about, the longest waiting first. Skips what others lease. */
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
    `update payouts p set lease_id = $2, due_at = $3
     from (select id from payouts where due_at <= $1
       order by due_at, id limit $4 for update skip locked) as n
     where p.id = n.id
     returning ${PAYOUT_OF_P}`,
    [claim.now, claim.leaseId, claim.leasedUntil, claim.limit],
  );
}

/**
 * That an order is about to go out: from here on only the provider knows whether it did. False if
 * the lease ran out meanwhile and somebody else has it.
 */
export async function updateSent(
  tx: Tx,
  payoutId: string,
  leaseId: string,
  order: {
    readonly now: Instant;
    readonly connectionId: string;
    readonly detailsId: string;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `update payouts set is_sent = true, sent_at = coalesce(sent_at, $3), connection_id = $4,
       details_id = $5
     where id = $1 and lease_id = $2 and status = 'processing' and not is_sent returning 1`,
    [payoutId, leaseId, order.now, order.connectionId, order.detailsId],
  );
  return rows.length > 0;
}

export interface DueCall {
  readonly id: string;
  readonly attempt: number;
  readonly isSent: boolean;
  readonly sentAt: Instant | null;
  readonly tries: number;
  readonly dueAt: Instant | null;
  readonly providerReference: string | null;
}

/** When to call next, and how; gives the lease back. */
export function updateDueCall(tx: Tx, call: DueCall, now: Instant): void {
  tx.send(
    `update payouts set attempt = $2, is_sent = $3, tries = $4, due_at = $5,
       provider_reference = $6, sent_at = $7, lease_id = null, updated_at = $8
     where id = $1`,
    [
      call.id,
      call.attempt,
      call.isSent,
      call.tries,
      call.dueAt,
      call.providerReference,
      call.sentAt,
      now,
    ],
  );
}

export interface TransferHint {
  readonly connectionId: string;
  /** What the provider was told that the payout is; null if it knows only names of its own. */
  readonly payoutId: string | null;
  readonly reference: string | null;
  readonly failureCode: string | null;
}

/**
 * Makes what may have news due to be asked for, and remembers how the provider calls it. Returns
 * how many that were: none if somebody is about to ask anyway.
 */
export async function updateHinted(tx: Tx, hint: TransferHint, now: Instant): Promise<number> {
  const rows = await tx.query(
    `update payouts set due_at = $5, provider_reference = coalesce(provider_reference, $3),
       failure_code = coalesce($4, failure_code)
     where connection_id = $1 and (id = $2 or provider_reference = $3)
       and status in ('processing', 'paid') and sent_at is not null and lease_id is null
     returning 1`,
    [hint.connectionId, hint.payoutId, hint.reference, hint.failureCode, now],
  );
  return rows.length;
}

/** One that may be under way through this account. */
export async function findOpenTransfer(
  source: Queryable,
  connectionId: string,
): Promise<string | undefined> {
  const [row] = await source.query<{ id: string }>(
    `select id from payouts
     where connection_id = $1 and status = 'processing' and sent_at is not null limit 1`,
    [connectionId],
  );
  return row?.id;
}
