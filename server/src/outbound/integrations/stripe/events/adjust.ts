import type { TrackAdjustment } from '../../../../domain/tracking/adjustment-schema.ts';
import { takeFacts } from '../../../../domain/tracking/batch/track-event.ts';
import {
  normalizeAdjustment,
  type SourceRef,
} from '../../../../domain/tracking/intake/normalize-adjustment.ts';
import { CURRENCY_EXPONENTS } from '../../../../platform/kit/currencies.ts';
import { waits } from '../parked/parked.ts';
import { type Handled, type Handling, judgeRefusal } from './handled.ts';
import type { InvoiceRow } from './ledger-store.ts';

interface Adjustment extends Pick<TrackAdjustment, 'sourceEventId' | 'kind' | 'occurredAt'> {
  /** Null for a lost dispute. */
  readonly amountMinor: bigint | null;
  /** The adjusted fact may have come through a deleted connection, and so from another source. */
  readonly restores: SourceRef | null;
  readonly closes: SourceRef | null;
}

/** Reduces the purchase of an invoice, or restores it. */
export async function adjust(
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
  const [outcome] = await takeFacts(write, deps.keyring, [{ kind: 'adjustment', adjustment }]);
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
