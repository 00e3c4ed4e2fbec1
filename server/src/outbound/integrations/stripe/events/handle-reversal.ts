import { takeFacts } from '../../../../domain/tracking/batch/track-event.ts';
import type { TrackAdjustment } from '../../../../domain/tracking/billing-schema.ts';
import {
  normalizeAdjustment,
  type SourceRef,
} from '../../../../domain/tracking/intake/normalize-billing.ts';
import { CURRENCY_EXPONENTS } from '../../../../platform/kit/currencies.ts';
import { listAccounts } from '../../../payouts/details/account-queries.ts';
import { waits } from '../parked/parked.ts';
import { type Handled, type Handling, judgeRefusal } from './handled.ts';
import { netOf, netOfRefund } from './invoice-amounts.ts';
import {
  findInvoice,
  findInvoiceOfPayment,
  findReversal,
  type InvoiceRow,
  insertReversal,
  listOpenDisputes,
  markRestored,
  type ReversalRow,
  updateRefunded,
} from './ledger-store.ts';
import type { StripeLoss, StripeRestoration, StripeReversal } from './stripe-fact.ts';

/** Reduces the purchase by a refund or dispute, without its tax. */
export async function handleReversal(
  handling: Handling,
  reported: StripeReversal,
): Promise<Handled> {
  const { tx, projectId } = handling.write;
  if (await findReversal(tx, projectId, reported.id)) return knownAlready;
  const invoiceId = await findInvoiceOfPayment(tx, projectId, reported.paymentId);
  if (invoiceId === undefined) {
    const waitsFor = waits.payment(reported.paymentId);
    return { state: 'parked', reason: 'unknown_payment', waitsFor };
  }
  const waitsFor = waits.invoice(invoiceId);
  const invoice = await findInvoice(tx, projectId, invoiceId);
  if (!invoice) return { state: 'parked', reason: 'invoice_not_paid', waitsFor };
  if (invoice.currency !== reported.currency) {
    return { state: 'ignored', reason: 'currency_differs' };
  }

  const isRefund = reported.reversal === 'refund';
  const paidMinor = BigInt(reported.paidMinor);
  // The refunds exceed the payment: an earlier refund must have failed, and its event is still to
  // come.
  if (isRefund && invoice.refundedPaidMinor + paidMinor > invoice.chargedMinor) {
    return { state: 'parked', reason: 'exceeds_purchase', waitsFor };
  }
  const netMinor = isRefund ? netOfRefund(invoice, paidMinor) : netOf(invoice, paidMinor);
  const { id, occurredAt } = reported;
  const handled = await adjust(handling, invoice, {
    sourceEventId: factIds[reported.reversal](id),
    kind: reported.reversal,
    amountMinor: netMinor,
    occurredAt,
    restores: null,
    closes: null,
  });
  if (handled.state !== 'done') return handled;
  const { sourceId } = handling.connection;
  insertReversal(tx, projectId, {
    id: reported.id,
    kind: reported.reversal,
    invoiceId,
    sourceId,
    paidMinor,
    netMinor,
    isRestored: false,
  });
  if (isRefund) addRefunded(handling, invoice, paidMinor, netMinor);
  return { state: 'done', wakes: [waits.reversal(reported.id)] };
}

/** Restores exactly what the refund or dispute took from the purchase. */
export async function handleRestoration(
  handling: Handling,
  { reversal: kind, id, occurredAt }: StripeRestoration,
): Promise<Handled> {
  const { tx, projectId } = handling.write;
  const found = await findReversed(handling, id);
  if (!found) return reversalUnknown(id);
  const { reversal, invoice } = found;
  const parts =
    kind === 'refund'
      ? [reversal].filter(({ isRestored }) => !isRestored)
      : partsOf(await listOpenDisputes(tx, projectId, invoice.id), id);
  if (parts.length === 0) return knownAlready;
  for (const part of parts) {
    const handled = await adjust(handling, invoice, {
      sourceEventId: factIds.restoration(part.id),
      kind: 'restoration',
      amountMinor: part.netMinor,
      occurredAt,
      restores: { sourceNamespaceId: part.sourceId, sourceEventId: factIds[kind](part.id) },
      closes: null,
    });
    if (handled.state !== 'done') return handled;
    markRestored(tx, projectId, part.id);
  }
  if (kind === 'refund') addRefunded(handling, invoice, -reversal.paidMinor, -reversal.netMinor);
  // A refund may have arrived while nothing was left.
  return { state: 'done', wakes: [waits.invoice(invoice.id)] };
}

/** Makes the dispute final. */
export async function handleLoss(
  handling: Handling,
  { id, occurredAt }: StripeLoss,
): Promise<Handled> {
  const { tx, projectId } = handling.write;
  const found = await findReversed(handling, id);
  if (!found) return reversalUnknown(id);
  const { invoice } = found;
  const parts = partsOf(await listOpenDisputes(tx, projectId, invoice.id), id);
  if (parts.length === 0) return knownAlready;
  for (const part of parts) {
    // A dispute of tax alone has no fact to close.
    if (part.netMinor === 0n) continue;
    const handled = await adjust(handling, invoice, {
      sourceEventId: factIds.loss(part.id),
      kind: 'dispute_lost',
      amountMinor: null,
      occurredAt,
      restores: null,
      closes: { sourceNamespaceId: part.sourceId, sourceEventId: factIds.dispute(part.id) },
    });
    if (handled.state !== 'done') return handled;
  }
  return { state: 'done', wakes: [] };
}

async function findReversed({ write: { tx, projectId } }: Handling, id: string) {
  const reversal = await findReversal(tx, projectId, id);
  if (!reversal) return undefined;
  const invoice = await findInvoice(tx, projectId, reversal.invoiceId);
  if (!invoice)
    throw new Error(`The reversal ${id} from Stripe names an invoice that does not exist.`);
  return { reversal, invoice };
}

function reversalUnknown(id: string): Handled {
  return { state: 'parked', reason: 'reversal_unknown', waitsFor: waits.reversal(id) };
}

/**
 * A dispute and the parts that earlier versions recorded for it: those have its id followed by a
 * colon and a suffix.
 */
function partsOf(disputes: readonly ReversalRow[], id: string): ReversalRow[] {
  return disputes.filter((one) => one.id.split(':', 1)[0] === id);
}

const knownAlready: Handled = { state: 'ignored', reason: 'known_already' };

function addRefunded(
  { write }: Handling,
  invoice: InvoiceRow,
  paidMinor: bigint,
  netMinor: bigint,
): void {
  updateRefunded(write.tx, write.projectId, {
    ...invoice,
    refundedPaidMinor: invoice.refundedPaidMinor + paidMinor,
    refundedNetMinor: invoice.refundedNetMinor + netMinor,
  });
}

interface Adjustment extends Pick<TrackAdjustment, 'sourceEventId' | 'kind' | 'occurredAt'> {
  /** Null for a lost dispute. */
  readonly amountMinor: bigint | null;
  /** The adjusted fact may have come through a deleted connection, and so from another source. */
  readonly restores: SourceRef | null;
  readonly closes: SourceRef | null;
}

/** Reduces the purchase of an invoice, or restores it. */
async function adjust(
  { deps, write, connection }: Handling,
  invoice: InvoiceRow,
  { restores, closes, ...fact }: Adjustment,
): Promise<Handled> {
  // The amount is all tax, or less than a minor unit: the purchase does not change.
  if (fact.amountMinor === 0n) return { state: 'done', wakes: [] };
  const normalized = normalizeAdjustment({
    ...fact,
    restores: restores?.sourceEventId ?? null,
    closes: closes?.sourceEventId ?? null,
    sourceNamespaceId: connection.sourceId,
    purchase: { sourceNamespaceId: invoice.sourceId, sourceEventId: invoice.id },
    amountMinor: fact.amountMinor?.toString() ?? null,
    currency: invoice.currency,
    currencyExponent: CURRENCY_EXPONENTS.get(invoice.currency) ?? 0,
  });
  const adjustment = { ...normalized, restores, closes };
  const [outcome] = await takeFacts(write, { ...deps, listAccounts }, [
    { kind: 'adjustment', adjustment },
  ]);
  if (!outcome || !('refused' in outcome)) return { state: 'done', wakes: [] };
  if (outcome.refused.reason === 'adjustment_exceeds_purchase') {
    return { state: 'parked', reason: 'exceeds_purchase', waitsFor: waits.invoice(invoice.id) };
  }
  const { reason } = outcome.refused;
  if (reason === 'purchase_not_counted' || reason === 'dispute_closed') {
    return { state: 'ignored', reason, refusal: outcome.refused };
  }
  return judgeRefusal(outcome.refused, fact.occurredAt, write.now);
}

/**
 * The sourceEventId of reversals and restorations. A refund keeps its own id; a suffix
 * distinguishes a dispute, its loss, and the restoration of either.
 */
export const factIds = {
  refund: (id: string) => id,
  dispute: (id: string) => `${id}:dispute`,
  loss: (id: string) => `${id}:lost`,
  restoration: (id: string) => `${id}:restoration`,
} as const;
