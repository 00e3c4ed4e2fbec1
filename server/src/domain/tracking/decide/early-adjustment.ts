import { conflict, notFound } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { EarlyAdjustment, TrackedEvent } from '../batch/facts.ts';
import type { Checked, Ledger, LedgerView } from '../batch/ledger.ts';
import type { AdjustmentAnswer } from '../billing-schema.ts';
import type { AdjustmentInput } from '../intake/normalize-billing.ts';
import { sourceKey } from '../intake/normalize-event.ts';
import { applyAdjustment, isOtherCurrency, judgeAdjustment } from './apply-adjustment.ts';

/** How long an adjustment waits for its purchase. */
export const ADJUSTMENT_WAIT_MS = DAY_MS;

/** An adjustment that arrives before its purchase waits for it (D-ADJ-1). */
export function checkEarly(view: LedgerView, input: AdjustmentInput): Checked<AdjustmentAnswer> {
  const key = sourceKey(input.purchase);
  if (sourceKey(input) === key) {
    const message = 'An adjustment needs its own sourceEventId. This one belongs to its purchase.';
    return { refused: conflict('event_facts_differ', message) };
  }
  const waiting = view.early.get(key) ?? [];
  const target = input.restores ?? input.closes;
  if (target && !waiting.some((one) => sourceKey(one.input) === sourceKey(target))) {
    return { refused: notFound('refund or dispute of this purchase', 'adjustment_unknown') };
  }
  return { take: (ledger) => ({ answer: keepEarly(ledger, input) }) };
}

function keepEarly(ledger: Ledger, input: AdjustmentInput): AdjustmentAnswer {
  const early: EarlyAdjustment = {
    id: ledger.newId('padj'),
    number: ledger.nextNumber('earlyAdjustments'),
    input,
    keptAt: ledger.now,
    expiresAt: addMs(ledger.now, ADJUSTMENT_WAIT_MS),
  };
  ledger.addEarly(early);
  const answer: AdjustmentAnswer = {
    success: true,
    purchaseAdjustmentId: early.id,
    purchaseId: null,
    rewardAdjustments: [],
  };
  ledger.addAnswer({ ...input, answer });
  return answer;
}

/** Applies the adjustments that arrived before this purchase, in order of arrival. Invalid ones are dropped. */
export function applyEarly(ledger: Ledger, event: TrackedEvent): void {
  const { sourceNamespaceId, sourceEventId } = event;
  if (sourceEventId === null || ledger.view.early.size === 0) return;
  const key = sourceKey({ sourceNamespaceId, sourceEventId });
  for (const early of ledger.view.early.get(key) ?? []) {
    ledger.removeEarly(early, applyOne(ledger, early, ledger.view.purchaseOfKey.get(key) ?? null));
  }
}

/** Null if it was applied, else the reason why not. */
function applyOne(
  ledger: Ledger,
  { id, input, expiresAt }: EarlyAdjustment,
  purchaseId: string | null,
): string | null {
  if (expiresAt <= ledger.now) return 'purchase_not_reported';
  const purchase = ledger.view.purchases.get(purchaseId ?? '');
  if (!purchase) return 'purchase_without_amount';
  if (isOtherCurrency(purchase, input)) return 'currency_differs';
  const judged = judgeAdjustment(ledger.view, purchase, input, id);
  if ('refused' in judged) return judged.refused.reason ?? judged.refused.code;
  applyAdjustment(ledger, judged);
  return null;
}
