import type Stripe from 'stripe';
import { smallerOf } from '../../../../platform/kit/money.ts';
import { fromStripeAmount } from './currencies.ts';

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

/** The amount paid, and the part of it that is not tax. */
export interface Paid {
  readonly paidMinor: bigint;
  readonly netMinor: bigint;
}

/** `whole × part / of`, rounded half up; 0 of 0 is 0. For non-negative amounts. */
export function partOf(whole: bigint, part: bigint, of: bigint): bigint {
  return of <= 0n ? 0n : (2n * whole * part + of) / (2n * of);
}

/** The net part of a refunded amount, if nothing else was refunded. */
export function netOf({ paidMinor, netMinor }: Paid, backMinor: bigint): bigint {
  return smallerOf(partOf(netMinor, backMinor, paidMinor), netMinor);
}

export interface Refunded extends Paid {
  readonly refundedPaidMinor: bigint;
  readonly refundedNetMinor: bigint;
}

/**
 * The net part of one more refund. Computed from the total refunded so far, so that rounding errors
 * never add up: refunds of the whole payment, in any number of parts, make up the whole net.
 */
export function netOfRefund(invoice: Refunded, backMinor: bigint): bigint {
  const totalMinor = netOf(invoice, invoice.refundedPaidMinor + backMinor);
  const moreMinor = totalMinor - invoice.refundedNetMinor;
  return moreMinor > 0n ? moreMinor : 0n;
}
