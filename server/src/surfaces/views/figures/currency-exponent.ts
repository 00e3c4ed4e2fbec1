import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';

/** For a currency in which something was earned. */
export function exponentOf(currency: string): number {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) throw new Error(`Nothing can be earned in ${currency}.`);
  return exponent;
}
