import type { Tx } from '../../../../platform/db/database.ts';
import type { Refunded } from './invoice-amounts.ts';
import type { ReversalKind } from './stripe-fact.ts';

/**
 * A paid invoice and what was refunded since. `netMinor` is the amount of the counted purchase;
 * the project's backend may have reported that purchase with another amount.
 */
export interface InvoiceRow extends Refunded {
  readonly id: string;
  readonly sourceId: string;
  readonly currency: string;
  /** Everything that was paid with it: `paidMinor`, and what the customer had owed before. */
  readonly chargedMinor: bigint;
}

export async function findInvoice(tx: Tx, projectId: string, id: string) {
  const [row] = await tx.query<InvoiceRow>(
    `select id, source_id as "sourceId", currency, paid_minor as "paidMinor",
       charged_minor as "chargedMinor", net_minor as "netMinor", refunded_paid_minor as "refundedPaidMinor",
       refunded_net_minor as "refundedNetMinor"
     from stripe_invoices where project_id = $1 and id = $2`,
    [projectId, id],
  );
  return row;
}

export function insertInvoice(tx: Tx, projectId: string, invoice: InvoiceRow): void {
  tx.send(
    `insert into stripe_invoices (project_id, id, source_id, currency, paid_minor, charged_minor,
       net_minor, refunded_paid_minor, refunded_net_minor)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      projectId,
      invoice.id,
      invoice.sourceId,
      invoice.currency,
      invoice.paidMinor,
      invoice.chargedMinor,
      invoice.netMinor,
      invoice.refundedPaidMinor,
      invoice.refundedNetMinor,
    ],
  );
}

export function updateRefunded(tx: Tx, projectId: string, invoice: InvoiceRow): void {
  tx.send(
    `update stripe_invoices set refunded_paid_minor = $3, refunded_net_minor = $4
     where project_id = $1 and id = $2`,
    [projectId, invoice.id, invoice.refundedPaidMinor, invoice.refundedNetMinor],
  );
}

export async function findInvoiceOfPayment(tx: Tx, projectId: string, paymentId: string) {
  const [row] = await tx.query<{ invoiceId: string }>(
    'select invoice_id as "invoiceId" from stripe_payments where project_id = $1 and id = $2',
    [projectId, paymentId],
  );
  return row?.invoiceId;
}

/** A payment stays with the first invoice that it paid. */
export function insertPayment(tx: Tx, projectId: string, id: string, invoiceId: string): void {
  tx.send(
    `insert into stripe_payments (project_id, id, invoice_id) values ($1, $2, $3)
     on conflict (project_id, id) do nothing`,
    [projectId, id, invoiceId],
  );
}

/** A refund or dispute, split into net and tax. */
export interface ReversalRow {
  readonly id: string;
  readonly kind: ReversalKind;
  readonly invoiceId: string;
  readonly sourceId: string;
  readonly paidMinor: bigint;
  readonly netMinor: bigint;
  readonly isRestored: boolean;
}

const REVERSAL = `id, kind, invoice_id as "invoiceId", source_id as "sourceId",
  paid_minor as "paidMinor", net_minor as "netMinor", is_restored as "isRestored"`;

export async function findReversal(tx: Tx, projectId: string, id: string) {
  const [row] = await tx.query<ReversalRow>(
    `select ${REVERSAL} from stripe_reversals where project_id = $1 and id = $2`,
    [projectId, id],
  );
  return row;
}

/** The open disputes of an invoice, including parts of disputes. */
export function listOpenDisputes(tx: Tx, projectId: string, invoiceId: string) {
  return tx.query<ReversalRow>(
    `select ${REVERSAL} from stripe_reversals where project_id = $1 and invoice_id = $2 and kind = 'dispute'
       and not is_restored order by id`,
    [projectId, invoiceId],
  );
}

export function insertReversal(tx: Tx, projectId: string, reversal: ReversalRow): void {
  tx.send(
    `insert into stripe_reversals (project_id, id, kind, invoice_id, source_id, paid_minor,
       net_minor, is_restored)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      projectId,
      reversal.id,
      reversal.kind,
      reversal.invoiceId,
      reversal.sourceId,
      reversal.paidMinor,
      reversal.netMinor,
      reversal.isRestored,
    ],
  );
}

export function markRestored(tx: Tx, projectId: string, reversalId: string): void {
  tx.send('update stripe_reversals set is_restored = true where project_id = $1 and id = $2', [
    projectId,
    reversalId,
  ]);
}
