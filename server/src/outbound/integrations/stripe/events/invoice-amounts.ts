import type Stripe from 'stripe';
import { smallerOf } from '../../../../platform/kit/money.ts';
import { fromStripeAmount } from './currencies.ts';
import { type Paid, partOf } from './split-amount.ts';

export type InvoiceAmounts = Pick<
  Stripe.Invoice,
  'currency' | 'total' | 'amount_paid' | 'total_excluding_tax' | 'total_taxes'
>;

export interface InvoicePaid extends Paid {
  /** All that was paid with it: all that can be refunded. */
  readonly chargedMinor: bigint;
}

/**
 * What an invoice brought in: `total_excluding_tax × amount_paid / total`. What a customer's balance
 * paid, our own credit among it, is no part of `amount_paid`; what was paid beyond the total went to
 * that balance and is not for this invoice. Undefined for a currency whose units nobody knows.
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
