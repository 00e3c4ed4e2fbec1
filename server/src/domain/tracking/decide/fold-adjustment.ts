import { notFound } from '../../../platform/kit/errors.ts';
import type { Checked, LedgerView } from '../batch/ledger.ts';
import type { AdjustmentAnswer } from '../billing-schema.ts';
import { firstAnswer, refuseFact } from '../intake/check-fact.ts';
import type { AdjustmentInput } from '../intake/normalize-billing.ts';
import { isSignupId, sourceKey } from '../intake/normalize-event.ts';
import { applyAdjustment, judgeAdjustment } from './apply-adjustment.ts';
import { checkEarly } from './early-adjustment.ts';

/** A refund, a dispute, a loss or a restoration. */
export function checkAdjustment(
  view: LedgerView,
  input: AdjustmentInput,
): Checked<AdjustmentAnswer> {
  const source = view.sources.get(input.sourceNamespaceId);
  if (!source) return { refused: notFound('source', 'source_unknown') };
  const first = firstAnswer<AdjustmentAnswer>(view, input);
  if (first) return first;
  const late = refuseFact(source, input.occurredAt, view.now);
  if (late) return { refused: late };
  const purchaseKey = sourceKey(input.purchase);
  const purchaseId = view.purchaseOfKey.get(purchaseKey);
  if (purchaseId === null) {
    return { refused: notFound('counted purchase', 'purchase_not_counted') };
  }
  const purchase = view.purchases.get(purchaseId ?? '');
  if (!purchase) {
    if (!view.sources.has(input.purchase.sourceNamespaceId)) {
      return { refused: notFound('source of the purchase', 'source_unknown') };
    }
    // No purchase can have the id of a signup: waiting for it would be pointless.
    if (view.keys.has(purchaseKey) || isSignupId(input.purchase.sourceEventId)) {
      return { refused: notFound('purchase with an amount', 'purchase_without_amount') };
    }
    return checkEarly(view, input);
  }
  const judged = judgeAdjustment(view, purchase, input, view.newId('padj'));
  if ('refused' in judged) return judged;
  return {
    take: (ledger) => {
      const answer = applyAdjustment(ledger, judged);
      ledger.addAnswer({ ...input, answer });
      return { answer, participantId: purchase.participantId };
    },
  };
}
