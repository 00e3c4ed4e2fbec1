import type { Tx } from '../../../platform/db/database.ts';
import {
  bigint,
  insertRows,
  json,
  smallint,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { SourceRef } from '../intake/normalize-billing.ts';
import { PURCHASE } from '../store.ts';
import { loyaltyOf } from './fact-store.ts';
import type { Purchase, PurchaseAdjustment } from './facts.ts';

/**
 * The purchases of these facts; for an invoice reported twice, the first. A purchase that is not
 * counted was taken for a duplicate by its invoice number alone, of a purchase of somebody else or
 * in another currency: earlier versions did so.
 */
export function listPurchasesByKey(
  tx: Tx,
  projectId: string,
  keys: readonly SourceRef[],
): Promise<(Purchase & SourceRef & { readonly isCounted: boolean })[]> {
  return tx.query(
    `select k.source_namespace_id as "sourceNamespaceId", k.source_event_id as "sourceEventId",
       ${PURCHASE},
       reported.participant_id = p.participant_id and reported.currency = p.currency as "isCounted"
     from unnest($2::text[], $3::text[]) as named (namespace_id, event_id)
     cross join lateral (select * from source_keys r
       where r.project_id = $1 and r.source_namespace_id = named.namespace_id
         and r.source_event_id = named.event_id offset 0) as k
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.event_id = k.answer->>'eventId' offset 0) as reported
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.id = coalesce(reported.duplicate_of, reported.id) offset 0) as p`,
    [projectId, keys.map((key) => key.sourceNamespaceId), keys.map((key) => key.sourceEventId)],
  );
}

const ADJUSTMENT = `a.id, a.number, a.purchase_id as "purchaseId", a.kind,
  a.source_namespace_id as "sourceNamespaceId", a.source_event_id as "sourceEventId",
  a.amount_minor as "amountMinor", a.applied_minor as "appliedMinor",
  a.restored_minor as "restoredMinor", a.refunded_total_minor as "refundedTotalMinor",
  a.disputed_total_minor as "disputedTotalMinor", a.restores_id as "restoresId",
  a.closes_id as "closesId", a.occurred_at as "occurredAt", a.facts_hash as "factsHash", a.rule`;

type StoredAdjustment = Omit<PurchaseAdjustment, 'number'> & { readonly number: bigint };

const toAdjustment = (row: StoredAdjustment): PurchaseAdjustment => ({
  ...row,
  number: Number(row.number),
});

/** All adjustments of these purchases, in order of arrival. */
export async function listAdjustmentsOf(
  tx: Tx,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<PurchaseAdjustment[]> {
  const rows = await tx.query<StoredAdjustment>(
    `select ${ADJUSTMENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from purchase_adjustments r
       where r.project_id = $1 and r.purchase_id = asked_id offset 0) as a
     order by a.number`,
    [projectId, purchaseIds],
  );
  return rows.map(toAdjustment);
}

/** Adjustments of these people's waiting purchases, in order of arrival. */
export async function listAdjustmentsOfWaiting(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
): Promise<PurchaseAdjustment[]> {
  const rows = await tx.query<StoredAdjustment>(
    `select ${ADJUSTMENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.id from events r
       where r.project_id = $1 and r.participant_id = asked_id
         and r.processing_state = 'pending' offset 0) as e
     cross join lateral (select r.id from purchases r
       where r.project_id = $1 and r.event_id = e.id offset 0) as p
     cross join lateral (select * from purchase_adjustments r
       where r.project_id = $1 and r.purchase_id = p.id offset 0) as a
     order by a.number`,
    [projectId, participantIds],
  );
  return rows.map(toAdjustment);
}

const insertAdjustmentRows = insertRows<PurchaseAdjustment>('purchase_adjustments', {
  id: text((row) => row.id),
  number: bigint((row) => row.number),
  purchase_id: text((row) => row.purchaseId),
  kind: text((row) => row.kind),
  source_namespace_id: text((row) => row.sourceNamespaceId),
  source_event_id: text((row) => row.sourceEventId),
  amount_minor: bigint((row) => row.amountMinor),
  applied_minor: bigint((row) => row.appliedMinor),
  restored_minor: bigint((row) => row.restoredMinor),
  refunded_total_minor: bigint((row) => row.refundedTotalMinor),
  disputed_total_minor: bigint((row) => row.disputedTotalMinor),
  restores_id: text((row) => row.restoresId),
  closes_id: text((row) => row.closesId),
  occurred_at: timestamptz((row) => row.occurredAt),
  facts_hash: text((row) => row.factsHash),
  rule: smallint((row) => row.rule),
});

export function insertAdjustments(
  tx: Tx,
  projectId: string,
  now: Instant,
  rows: readonly PurchaseAdjustment[],
): void {
  insertAdjustmentRows(tx, projectId, rows, { received_at: now });
}

/** How much of each was restored by now. */
export const updateRestored = updateRows<PurchaseAdjustment>(
  'purchase_adjustments',
  { id: text((row) => row.id) },
  { restored_minor: bigint((row) => row.restoredMinor) },
);

/** How much of each is refunded and disputed by now. */
export const updatePurchaseTotals = updateRows<Purchase>(
  'purchases',
  { id: text((row) => row.id) },
  {
    refunded_minor: bigint((row) => row.refundedMinor),
    disputed_minor: bigint((row) => row.disputedMinor),
    loyalty_program_ids: json(loyaltyOf),
  },
);
