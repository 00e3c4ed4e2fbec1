import { notFound } from '../../../platform/kit/errors.ts';
import type { AdjustmentAnswer } from '../adjustment-schema.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { TrackSlice } from '../batch/slice.ts';
import { firstAnswer, refuseArrival, rememberAnswer, sourceKey } from '../intake/arrival.ts';
import type { AdjustmentInput } from '../intake/normalize-adjustment.ts';
import { isSignupId } from '../intake/signup-id.ts';
import { type Adjusted, applyAdjustment } from './apply-adjustment.ts';
import { keepEarly } from './early-adjustment.ts';

/** Takes a refund, dispute, loss or restoration into the slice. Refusals leave the slice as it was. */
export function foldAdjustment(
  slice: TrackSlice,
  recorder: Recorder,
  input: AdjustmentInput,
): Adjusted {
  const source = slice.sources.get(input.sourceNamespaceId);
  if (!source) return { refused: notFound('source', 'source_unknown') };
  const first = firstAnswer<AdjustmentAnswer>(slice, input);
  if (first) return first;
  const late = refuseArrival(source, input.occurredAt, recorder.now);
  if (late) return { refused: late };
  const purchaseKey = sourceKey(input.purchase);
  const purchaseId = slice.purchaseOfKey.get(purchaseKey);
  if (purchaseId === null) {
    return { refused: notFound('purchase that counts', 'purchase_not_counted') };
  }
  const purchase = slice.purchases.get(purchaseId ?? '');
  if (!purchase) {
    if (!slice.sources.has(input.purchase.sourceNamespaceId)) {
      return { refused: notFound('source of the purchase', 'source_unknown') };
    }
    // No purchase can have the id of a signup: it would be waited for in vain.
    if (slice.keys.has(purchaseKey) || isSignupId(input.purchase.sourceEventId)) {
      return { refused: notFound('purchase with an amount', 'purchase_without_amount') };
    }
    return keepEarly(slice, recorder, input);
  }
  const applied = applyAdjustment(slice, recorder, purchase, input, recorder.newId('padj'));
  if (!('refused' in applied))
    rememberAnswer(slice, recorder, { ...input, answer: applied.answer });
  return applied;
}
