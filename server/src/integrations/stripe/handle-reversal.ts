import { CURRENCY_EXPONENTS } from '../../kit/currencies.ts';
import { smallerOf } from '../../kit/money.ts';
import type { TrackAdjustment } from '../../tracking/adjustment-schema.ts';
import { normalizeAdjustment, type SourceRef } from '../../tracking/normalize-adjustment.ts';
import { takeFacts } from '../../tracking/track-event.ts';
import { factIds } from './fact-ids.ts';
import { type Handled, type Handling, judgeRefusal } from './handled.ts';
import {
  findInvoice,
  findInvoiceOfPayment,
  findReversal,
  type InvoiceRow,
  insertReversal,
  markRestored,
  updateRefunded,
} from './ledger-store.ts';
import { waits } from './parked.ts';
import { netOf, netOfRefund } from './split-amount.ts';
import type { ToldRestoration, ToldReversal } from './told.ts';

/** Takes what went back from the purchase, without the tax in it. */
export async function handleReversal(handling: Handling, told: ToldReversal): Promise<Handled> {
  const { tx, projectId } = handling.write;
  if (await findReversal(tx, projectId, told.id)) return knownAlready;
  const invoiceId = await findInvoiceOfPayment(tx, projectId, told.paymentId);
  if (invoiceId === undefined) {
    const waitsFor = waits.payment(told.paymentId);
    return { state: 'parked', reason: 'unknown_payment', waitsFor };
  }
  const waitsFor = waits.invoice(invoiceId);
  const invoice = await findInvoice(tx, projectId, invoiceId);
  if (!invoice) return { state: 'parked', reason: 'invoice_not_paid', waitsFor };
  if (invoice.currency !== told.currency) {
    return { state: 'ignored', reason: 'currency_unsupported' };
  }

  const isRefund = told.reversal === 'refund';
  const paidMinor = smallerOf(BigInt(told.paidMinor), invoice.paidMinor);
  const netMinor = isRefund ? netOfRefund(invoice, paidMinor) : netOf(invoice, paidMinor);
  const handled = await adjust(handling, invoice, {
    sourceEventId: factIds[told.reversal](told.id),
    kind: told.reversal,
    amountMinor: netMinor,
    occurredAt: told.occurredAt,
    restores: null,
  });
  if (handled.state !== 'done') return handled;
  const { sourceId } = handling.connection;
  insertReversal(tx, projectId, {
    id: told.id,
    kind: told.reversal,
    invoiceId,
    sourceId,
    paidMinor,
    netMinor,
    isRestored: false,
  });
  if (isRefund) addRefunded(handling, invoice, paidMinor, netMinor);
  return { state: 'done', wakes: [waits.reversal(told.id)] };
}

/** Gives back to the purchase exactly what the refund or dispute took. */
export async function handleRestoration(
  handling: Handling,
  { reversal: kind, id, occurredAt }: ToldRestoration,
): Promise<Handled> {
  const { tx, projectId } = handling.write;
  const reversal = await findReversal(tx, projectId, id);
  if (!reversal) {
    return { state: 'parked', reason: 'reversal_unknown', waitsFor: waits.reversal(id) };
  }
  if (reversal.isRestored) return knownAlready;
  const invoice = await findInvoice(tx, projectId, reversal.invoiceId);
  if (!invoice) throw new Error(`Stripe's ${id} went back of an invoice that is not there.`);
  const handled = await adjust(handling, invoice, {
    sourceEventId: factIds.restoration(id),
    kind: 'restoration',
    amountMinor: reversal.netMinor,
    occurredAt,
    restores: { sourceNamespaceId: reversal.sourceId, sourceEventId: factIds[kind](id) },
  });
  if (handled.state !== 'done') return handled;
  markRestored(tx, projectId, id);
  if (kind === 'refund') addRefunded(handling, invoice, -reversal.paidMinor, -reversal.netMinor);
  // A refund may have come while the dispute had taken everything.
  return { state: 'done', wakes: [waits.invoice(invoice.id)] };
}

const knownAlready: Handled = { state: 'ignored', reason: 'known_already' };

interface Adjustment extends Pick<TrackAdjustment, 'sourceEventId' | 'kind' | 'occurredAt'> {
  readonly amountMinor: bigint;
  /** It may have come by a connection that is no more, and so from another source. */
  readonly restores: SourceRef | null;
}

async function adjust(
  { deps, write, connection }: Handling,
  invoice: InvoiceRow,
  { restores, ...fact }: Adjustment,
): Promise<Handled> {
  // All of it is tax, or too little for a minor unit: nothing of the purchase goes back.
  if (fact.amountMinor === 0n) return { state: 'done', wakes: [] };
  const normalized = normalizeAdjustment({
    ...fact,
    restores: restores?.sourceEventId ?? null,
    sourceNamespaceId: connection.sourceId,
    purchase: { sourceNamespaceId: invoice.sourceId, sourceEventId: invoice.id },
    amountMinor: fact.amountMinor.toString(),
    currency: invoice.currency,
    currencyExponent: CURRENCY_EXPONENTS.get(invoice.currency) ?? 0,
  });
  const adjustment = { ...normalized, restores };
  const [outcome] = await takeFacts(write, deps.keyring, [{ kind: 'adjustment', adjustment }]);
  if (!outcome || !('refused' in outcome)) return { state: 'done', wakes: [] };
  if (outcome.refused.reason === 'adjustment_exceeds_purchase') {
    return { state: 'parked', reason: 'exceeds_purchase', waitsFor: waits.invoice(invoice.id) };
  }
  return judgeRefusal(outcome.refused, fact.occurredAt, write.now);
}

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
