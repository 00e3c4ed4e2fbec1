/** An amount on the wire: minor units, decimal, no sign, no leading zero, at most 18 digits. */
export const MINOR_PATTERN = '^(0|[1-9][0-9]{0,17})$';

const MINOR = new RegExp(MINOR_PATTERN);

/** Minor units from their wire form; undefined if it is not that. */
export function parseMinor(text: string): bigint | undefined {
  return MINOR.test(text) ? BigInt(text) : undefined;
}

/** The wire form, with a leading `-` below zero. */
export function formatMinor(amountMinor: bigint): string {
  return amountMinor.toString();
}

/** `Math.min` for amounts. */
export function smallerOf(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
