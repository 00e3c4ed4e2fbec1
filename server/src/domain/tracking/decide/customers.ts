import type { Purchase } from '../batch/facts.ts';
import type { LedgerView } from '../batch/ledger.ts';

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
