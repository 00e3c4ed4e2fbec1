import { toMinor } from '../../../ui/currencies.ts';

/** A whole number as typed; null if it is none. */
export const wholeNumber = (value: string): number | null =>
  /^\d{1,10}$/.test(value.trim()) ? Number(value.trim()) : null;

/** `12.5` or `12.5 %` → 1250. */
export const rateBpsOf = (rate: string): number | null => {
  const minor = toMinor(rate.replace(/\s*%$/, ''), 2);
  return minor === null || minor.length > 6 ? null : Number(minor);
};

/** Why an amount cannot be sent. */
export function amountFault(amount: string, currency: string, exponent: number) {
  const minor = toMinor(amount, exponent);
  if (minor === null) {
    return exponent === 0
      ? `A whole number: ${currency} has no decimals`
      : `A number with at most ${exponent} decimals`;
  }
  return /^0+$/.test(minor) ? 'More than 0' : undefined;
}

export function rateFault(rate: string) {
  const bps = rateBpsOf(rate);
  return bps === null || bps < 1 || bps > 10_000
    ? 'From 0.01 to 100, with at most 2 decimals'
    : undefined;
}

export function wholeFault(value: string, min: number, max: number) {
  const number = wholeNumber(value);
  return number === null || number < min || number > max
    ? `A whole number from ${min.toLocaleString()} to ${max.toLocaleString()}`
    : undefined;
}
