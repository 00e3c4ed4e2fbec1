import { type Difference, difference, differencesOf } from '../finding.ts';
import { type AuditedPurchase, listAuditedPurchases } from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { type CheckContext, walk } from './check-context.ts';
import { replayAdjustments } from './replay-adjustments.ts';

/** Every purchase is what its Event told, and stands as its adjustments leave it. */
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

/** One that tells of an invoice again points to the first, and nothing is ever given back of it. */
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
