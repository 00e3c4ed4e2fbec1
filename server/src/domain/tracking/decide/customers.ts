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
  return hasPaid({ customers, purchases }, participantId, () => true);
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
  if (hasPaid(view, participantId, (other) => other.id !== id)) return false;
  const waiting = view.waiting.get(participantId);
  return !waiting?.some((event) => {
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
  return hasPaid(
    { customers, purchases },
    participantId,
    (purchase) => purchase.subscriptionId !== subscriptionId,
  );
}

/** Whether one of the loaded purchases is a paid one of this person, and of this kind. */
function hasPaid(
  { customers, purchases }: Bought,
  participantId: string,
  isIt: (purchase: Purchase) => boolean,
): boolean {
  for (const purchase of purchases.values()) {
    if (purchase.participantId !== participantId || !isIt(purchase)) continue;
    if (customers.decided.has(purchase.id) && isPaidFor(purchase)) return true;
  }
  return false;
}
