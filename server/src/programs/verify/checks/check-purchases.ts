import { decideAdjustment } from '../../../domain/tracking/decide/decide-adjustment.ts';
import {
  type AdjustmentStep,
  restoredOf,
} from '../../../domain/tracking/decide/purchase-standing.ts';
import { type Difference, difference, differencesOf } from '../findings.ts';
import {
  type AuditedPurchase,
  type AuditedPurchaseAdjustment,
  listAuditedPurchases,
} from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { type CheckContext, walk } from './check-context.ts';

/** Every purchase matches its event, and its totals match its adjustments. */
export async function checkPurchases(context: CheckContext): Promise<void> {
  const { tx, projectId } = context;
  const total = await countRows(tx, projectId, 'purchases');
  const pages = listAuditedPurchases(tx, projectId);
  await walk(context, { what: 'purchases', total, pages }, (purchase) => {
    context.report(checkFacts(purchase));
    context.report(checkDuplicate(purchase));
    context.report(replayAdjustments(purchase));
  });
}

function checkFacts({ event, ...purchase }: AuditedPurchase): Difference[] {
  if (event === null) return [];
  const { type, participantId, purchase: reported } = event;
  return [
    ...differencesOf('purchase', purchase.id, purchase, { participantId, ...reported }),
    ...(type === 'purchase' && reported
      ? []
      : [difference(['purchase', purchase.id], 'event', type, 'a purchase with an amount')]),
  ];
}

/** A repeated report of an invoice points to the first one, and is never refunded. */
function checkDuplicate({ id, invoiceId, first, adjustments }: AuditedPurchase): Difference[] {
  if (first === null) return [];
  const pointed = differencesOf('purchase', id, first, { invoiceId, duplicateOf: null });
  const strays = (adjustments ?? []).map((one) =>
    difference(['purchase adjustment', one.id], 'purchaseId', id, 'the first of its invoice'),
  );
  return [...pointed, ...strays];
}

/** Decides every refund, dispute, loss and restoration of a purchase again, in order (D-ADJ-1). */
function replayAdjustments(purchase: AuditedPurchase): Difference[] {
  const found: Difference[] = [];
  const past: AdjustmentStep[] = [];
  let standing = { refundedMinor: 0n, disputedMinor: 0n };
  for (const one of purchase.adjustments ?? []) {
    const step = toStep(one);
    const decision = decideAdjustment(purchase.amountMinor, past, step);
    if ('refused' in decision) {
      const isUnknown = decision.refused.code === 'NOT_FOUND';
      const target = one.closesId === null ? 'restoresId' : 'closesId';
      const field = isUnknown ? target : 'amountMinor';
      const expected = isUnknown ? 'the id of an earlier one' : 'less';
      found.push(difference(['purchase adjustment', one.id], field, one[field], expected));
      continue;
    }
    const { appliedMinor, refundedMinor, disputedMinor } = decision;
    found.push(
      ...differencesOf('purchase adjustment', one.id, one, {
        appliedMinor,
        refundedTotalMinor: refundedMinor,
        disputedTotalMinor: disputedMinor,
      }),
    );
    standing = { refundedMinor, disputedMinor };
    // Uses the correct value, so that one damaged row is one finding.
    past.push({ ...step, appliedMinor });
  }
  const restored = restoredOf(past);
  for (const one of purchase.adjustments ?? []) {
    const restoredMinor = restored.get(one.id) ?? 0n;
    found.push(...differencesOf('purchase adjustment', one.id, one, { restoredMinor }));
  }
  return [...found, ...differencesOf('purchase', purchase.id, purchase, standing)];
}

function toStep(one: AuditedPurchaseAdjustment): AdjustmentStep {
  return {
    ...one,
    amountMinor: one.amountMinor === null ? null : BigInt(one.amountMinor),
    // Under the first rule this is the amount that a dispute claims. Stored values that are
    // recomputed must not be used.
    appliedMinor: BigInt(one.amountMinor ?? 0),
  };
}
