import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';

/** Of a currency that something was earned in. */
export function exponentOf(currency: string): number {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) throw new Error(`Nothing can be earned in ${currency}.`);
  return exponent;
}
