import { formatMinor } from '../../ui/money.tsx';
import { humanize } from '../../ui/words.ts';

export interface PurchaseFacts {
  readonly amountMinor: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly taxAmountMinor: string | null;
  readonly orderId: string | null;
  readonly invoiceId: string | null;
  readonly subscriptionId: string | null;
  readonly billingReason: string | null;
}

/** The purchase among an event's facts; null if there is none. */
export function readPurchase(facts: Readonly<Record<string, unknown>>): PurchaseFacts | null {
  const purchase = facts.purchase as Partial<PurchaseFacts> | null | undefined;
  if (typeof purchase?.amountMinor !== 'string' || typeof purchase.currency !== 'string') {
    return null;
  }
  return {
    amountMinor: purchase.amountMinor,
    currency: purchase.currency,
    currencyExponent: purchase.currencyExponent ?? 2,
    taxAmountMinor: purchase.taxAmountMinor ?? null,
    orderId: purchase.orderId ?? null,
    invoiceId: purchase.invoiceId ?? null,
    subscriptionId: purchase.subscriptionId ?? null,
    billingReason: purchase.billingReason ?? null,
  };
}

/** Properties added by the sender's own code; erased with its person. */
export function readProperties(facts: Readonly<Record<string, unknown>>): [string, string][] {
  const { properties } = facts;
  return typeof properties === 'object' && properties !== null
    ? Object.entries(properties).map(([name, value]) => [name, String(value)])
    : [];
}

/** `custom_review_written` → `Review written`. */
export const typeName = (type: string) => humanize(type.replace(/^custom_/, ''));

/** `Purchase of €27.30`. */
export function eventTitle(event: {
  type: string;
  normalizedFacts: Readonly<Record<string, unknown>>;
}): string {
  const purchase = readPurchase(event.normalizedFacts);
  if (event.type !== 'purchase' || !purchase) return typeName(event.type);
  const { amountMinor, currency, currencyExponent } = purchase;
  return `Purchase of ${formatMinor(amountMinor, currency, currencyExponent)}`;
}
