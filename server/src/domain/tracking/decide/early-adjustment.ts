import { type AppError, conflict, notFound } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { AdjustmentAnswer } from '../adjustment-schema.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { EarlyAdjustment, TrackedEvent, TrackSlice } from '../batch/slice.ts';
import { rememberAnswer, sourceKey } from '../intake/arrival.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-adjustment.ts';
import { applyAdjustment, isOtherCurrency } from './apply-adjustment.ts';

/** How long an adjustment waits for its purchase. */
export const ADJUSTMENT_WAIT_MS = DAY_MS;

/** Keeps an adjustment until its purchase arrives (D-ADJ-1). */
export function keepEarly(
  slice: TrackSlice,
  recorder: Recorder,
  input: AdjustmentInput,
): { readonly answer: AdjustmentAnswer } | { readonly refused: AppError } {
  const key = sourceKey(input.purchase);
  if (sourceKey(input) === key) {
    const message = 'An adjustment needs a sourceEventId of its own: this is its purchase’s.';
    return { refused: conflict('event_facts_differ', message) };
  }
  const waiting = slice.early.get(key) ?? [];
  const target = input.restores ?? input.closes;
  if (target && !waiting.some((one) => sourceKey(one.input) === sourceKey(target))) {
    return { refused: notFound('refund or dispute of this purchase', 'adjustment_unknown') };
  }
  const early: EarlyAdjustment = {
    id: recorder.newId('padj'),
    number: recorder.nextNumber('earlyAdjustments'),
    input,
    keptAt: recorder.now,
    expiresAt: addMs(recorder.now, ADJUSTMENT_WAIT_MS),
  };
  slice.early.set(key, [...waiting, early]);
  recorder.made.early.added.set(early.id, early);
  const answer: AdjustmentAnswer = {
    success: true,
    purchaseAdjustmentId: early.id,
    purchaseId: null,
    rewardAdjustments: [],
  };
  rememberAnswer(slice, recorder, { ...input, answer });
  return { answer };
}

/** Applies what came before this purchase, in the order it came. What does not fit is dropped. */
export function applyEarly(slice: TrackSlice, recorder: Recorder, event: TrackedEvent): void {
  const { sourceNamespaceId, sourceEventId } = event;
  if (sourceEventId === null) return;
  const key = sourceKey({ sourceNamespaceId, sourceEventId });
  for (const early of slice.early.get(key) ?? []) {
    const reason = applyOne(slice, recorder, early, slice.purchaseOfKey.get(key) ?? null);
    const { early: rows } = recorder.made;
    if (!rows.added.delete(early.id)) rows.removed.push(early.id);
    if (reason === null) continue;
    rows.dropped.push({ early, reason });
    forgetAnswer(slice, recorder, early.input);
  }
  slice.early.delete(key);
}

/** Null when it was applied, else why it cannot be. */
function applyOne(
  slice: TrackSlice,
  recorder: Recorder,
  { id, input, expiresAt }: EarlyAdjustment,
  purchaseId: string | null,
): string | null {
  if (expiresAt <= recorder.now) return 'purchase_not_reported';
  const purchase = slice.purchases.get(purchaseId ?? '');
  if (!purchase) return 'purchase_without_amount';
  if (isOtherCurrency(purchase, input)) return 'currency_differs';
  const applied = applyAdjustment(slice, recorder, purchase, input, id);
  if (!('refused' in applied)) return null;
  return applied.refused.reason ?? applied.refused.code;
}

/** So that the same adjustment can be sent again, and is judged anew. */
function forgetAnswer(slice: TrackSlice, recorder: Recorder, ref: SourceRef): void {
  const { keys, forgotten } = recorder.made;
  slice.keys.delete(sourceKey(ref));
  const at = keys.findIndex((one) => sourceKey(one) === sourceKey(ref));
  if (at < 0) forgotten.push(ref);
  else keys.splice(at, 1);
}
