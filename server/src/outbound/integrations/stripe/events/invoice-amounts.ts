import type Stripe from 'stripe';
import { smallerOf } from '../../../../platform/kit/money.ts';
import { fromStripeAmount } from './currencies.ts';
import { type Paid, partOf } from './split-amount.ts';

export type InvoiceAmounts = Pick<
  Stripe.Invoice,
  'currency' | 'total' | 'amount_paid' | 'total_excluding_tax' | 'total_taxes'
>;

export interface InvoicePaid extends Paid {
  /** Everything that was paid with the invoice: the most that can be refunded. */
  readonly chargedMinor: bigint;
}

/**
 * The net revenue of an invoice: `total_excluding_tax × amount_paid / total`. Payments from the
 * customer's balance, including our own credit, are not part of `amount_paid`; what was paid beyond
 * the total went to that balance and does not belong to this invoice. Undefined for a currency
 * whose units are unknown.
 */
export function amountsOf(invoice: InvoiceAmounts): InvoicePaid | undefined {
  const total = BigInt(Math.max(invoice.total, 0));
  const charged = Math.max(invoice.amount_paid, 0);
  const paid = smallerOf(BigInt(charged), total);
  const paidMinor = fromStripeAmount(Number(paid), invoice.currency);
  const chargedMinor = fromStripeAmount(charged, invoice.currency);
  if (paidMinor === undefined || chargedMinor === undefined) return undefined;
  const untaxed = smallerOf(BigInt(Math.max(withoutTax(invoice), 0)), total);
  return { paidMinor, chargedMinor, netMinor: partOf(paidMinor, untaxed, total) };
}

function withoutTax({ total, total_excluding_tax, total_taxes }: InvoiceAmounts): number {
  if (total_excluding_tax !== null) return total_excluding_tax;
  return (total_taxes ?? []).reduce((rest, { amount }) => rest - amount, total);
}
