import { smallerOf } from '../../../../platform/kit/money.ts';

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
