/** An amount on the wire: minor units, decimal, no sign, no leading zero, at most 18 digits. */
export const MINOR_PATTERN = '^(0|[1-9][0-9]{0,17})$';

/** An amount that callers may send: thousands of the largest still add up to 18 digits. */
export const ACCEPTED_MINOR_PATTERN = '^(0|[1-9][0-9]{0,14})$';
/** The same, greater than zero. */
export const POSITIVE_MINOR_PATTERN = '^[1-9][0-9]{0,14}$';
/** A value of a measure: a number of things, or minor units. Written so that its message is another than that of amounts. */
export const MEASURE_PATTERN = '^(?:0|[1-9][0-9]{0,14})$';
export const POSITIVE_MEASURE_PATTERN = '^(?:[1-9][0-9]{0,14})$';

const MINOR = new RegExp(MINOR_PATTERN);

/** Minor units from their wire format; undefined for any other text. */
export function parseMinor(text: string): bigint | undefined {
  return MINOR.test(text) ? BigInt(text) : undefined;
}

/** The wire format, with a leading `-` below zero. */
export function formatMinor(amountMinor: bigint): string {
  return amountMinor.toString();
}

/** `Math.min` for amounts. */
export function smallerOf(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** Minor units as a decimal amount: 1234 with exponent 2 is 12.34. */
export function formatMajor(amountMinor: bigint, exponent: number): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = String(amountMinor < 0n ? -amountMinor : amountMinor).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Minor units of a decimal amount; undefined for any other text, or a fraction of a unit. */
export function parseMajor(text: string, exponent: number): bigint | undefined {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(exponent))) return undefined;
  const minor = BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
  return sign === '' ? minor : -minor;
}
