import type { Purchase, TrackedEvent } from '../batch/facts.ts';
import { type LedgerView, purchaseOf } from '../batch/ledger.ts';

type Bought = Pick<LedgerView, 'customers' | 'purchases'>;

export function outsideKey(participantId: string, subscriptionId: string): string {
  return `${participantId}\n${subscriptionId}`;
}

/**
 * Whether something was paid and not fully refunded. A disputed amount counts as paid until the
 * dispute is lost: it may be restored.
 */
export function isPaidFor(
  purchase: Pick<Purchase, 'amountMinor' | 'refundedMinor' | 'disputedMinor' | 'duplicateOf'>,
): boolean {
  const { amountMinor, refundedMinor, disputedMinor, duplicateOf } = purchase;
  return duplicateOf === null && BigInt(amountMinor) > refundedMinor - disputedMinor;
}

export function isCustomer({ customers, purchases }: Bought, participantId: string): boolean {
  const { known, unpriced } = customers;
  if (known.has(participantId) || unpriced.has(participantId)) return true;
  return paidOf({ customers, purchases }, participantId).length > 0;
}

/**
 * Whether its buyer has paid for nothing else before, unless it was fully refunded. A purchase without an amount does not
 * count: nothing is left of it. Purchases that still wait to be decided count for those that were received after them.
 */
export function isFirstPurchase(
  view: Bought & Pick<LedgerView, 'waiting' | 'purchaseOfEvent'>,
  { number }: Pick<TrackedEvent, 'number'>,
  { id, participantId }: Pick<Purchase, 'id' | 'participantId'>,
): boolean {
  if (view.customers.payers.has(participantId)) return false;
  if (paidOf(view, participantId).some((other) => other.id !== id)) return false;
  return !(view.waiting.get(participantId) ?? []).some((event) => {
    if (event.type !== 'purchase' || event.number >= number) return false;
    const other = purchaseOf(view, event);
    return other !== null && isPaidFor(other);
  });
}

/**
 * The first invoice of a subscription often arrives before the report of its start. That invoice
 * does not make its payer an existing customer.
 */
export function isCustomerOutside(
  { customers, purchases }: Bought,
  participantId: string,
  subscriptionId: string,
): boolean {
  const { knownOutside, unpriced } = customers;
  if (knownOutside.has(outsideKey(participantId, subscriptionId))) return true;
  if (unpriced.has(participantId)) return true;
  return paidOf({ customers, purchases }, participantId).some(
    (purchase) => purchase.subscriptionId !== subscriptionId,
  );
}

/** Of the loaded purchases, the paid ones of this person. */
function paidOf({ customers, purchases }: Bought, participantId: string): Purchase[] {
  return [...purchases.values()].filter(
    (purchase) =>
      purchase.participantId === participantId &&
      customers.decided.has(purchase.id) &&
      isPaidFor(purchase),
  );
}
