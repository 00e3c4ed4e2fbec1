import { type Difference, difference, differencesOf } from '../finding.ts';
import { type AuditedPurchase, listAuditedPurchases } from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { type CheckContext, walk } from './check-context.ts';
import { replayAdjustments } from './replay-adjustments.ts';

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
  const { type, participantId, purchase: told } = event;
  return [
    ...differencesOf('purchase', purchase.id, purchase, { participantId, ...told }),
    ...(type === 'purchase' && told
      ? []
      : [
          difference('purchase', purchase.id, 'event', {
            stored: type,
            expected: 'a purchase with an amount',
          }),
        ]),
  ];
}

/** A repeated report of an invoice points to the first one, and is never refunded. */
function checkDuplicate({ id, invoiceId, first, adjustments }: AuditedPurchase): Difference[] {
  if (first === null) return [];
  const pointed = differencesOf('purchase', id, first, { invoiceId, duplicateOf: null });
  const strays = (adjustments ?? []).map((one) =>
    difference('purchase adjustment', one.id, 'purchaseId', {
      stored: id,
      expected: 'the first of its invoice',
    }),
  );
  return [...pointed, ...strays];
}
