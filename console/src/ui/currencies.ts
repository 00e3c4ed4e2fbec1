import { CURRENCY_EXPONENTS } from '@goodword/sdk';

/** Decimals of the minor unit by ISO 4217, from the list that the service checks against. */
export const exponentOf = (currency: string): number | undefined =>
  Object.hasOwn(CURRENCY_EXPONENTS, currency) ? CURRENCY_EXPONENTS[currency] : undefined;

const COMMON = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY', 'INR', 'BRL'];

/** To choose from: the most common first, each with its name in the reader's language. */
export function currencyChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  const others = Object.keys(CURRENCY_EXPONENTS)
    .filter((code) => !COMMON.includes(code))
    .sort();
  return [...COMMON, ...others].map((code) => ({
    value: code,
    label: `${code} · ${names.of(code)}`,
  }));
}

/**
 * `12.5` with two decimals → `1250`; null if it is no amount, or has too many decimals for the
 * currency. A comma counts as the decimal point, as half the world writes it, but not where it may
 * also separate thousands: `1,000` of a currency with three decimals is one to some, a thousand to
 * others.
 */
export function toMinor(text: string, exponent: number): string | null {
  const match = /^(\d{1,15})(?:[.,](\d+))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = '', decimals = ''] = match;
  if (decimals.length > exponent) return null;
  if (decimals.length === 3 && text.includes(',')) return null;
  return `${whole}${decimals.padEnd(exponent, '0')}`.replace(/^0+(?=\d)/, '');
}

/** The inverse, as one would type it: `1250` → `12.50`. */
export function fromMinor(amountMinor: string, exponent: number): string {
  if (exponent === 0) return amountMinor;
  const digits = amountMinor.padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
