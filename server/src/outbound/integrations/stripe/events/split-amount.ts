import { smallerOf } from '../../../../platform/kit/money.ts';

/** What was paid, and what of that is no tax. */
export interface Paid {
  readonly paidMinor: bigint;
  readonly netMinor: bigint;
}

/** `whole × part / of`, half up; nothing of nothing. For amounts that are not below zero. */
export function partOf(whole: bigint, part: bigint, of: bigint): bigint {
  return of <= 0n ? 0n : (2n * whole * part + of) / (2n * of);
}

/** What of a paid amount that goes back is no tax, if nothing else of it went back. */
export function netOf({ paidMinor, netMinor }: Paid, backMinor: bigint): bigint {
  return smallerOf(partOf(netMinor, backMinor, paidMinor), netMinor);
}

export interface Refunded extends Paid {
  readonly refundedPaidMinor: bigint;
  readonly refundedNetMinor: bigint;
}

/**
 * What of one more refund is no tax. Reckoned from all that is refunded by then, so that roundings
 * never add up: refunds of all that was paid, in however many parts, are all of the net.
 */
export function netOfRefund(invoice: Refunded, backMinor: bigint): bigint {
  const totalMinor = netOf(invoice, invoice.refundedPaidMinor + backMinor);
  const moreMinor = totalMinor - invoice.refundedNetMinor;
  return moreMinor > 0n ? moreMinor : 0n;
}
