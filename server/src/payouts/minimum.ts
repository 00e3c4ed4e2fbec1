import { CURRENCY_EXPONENTS } from '../kit/currencies.ts';

const DEFAULT_MAJOR_UNITS = 10n;

/** By currency, in minor units. */
export type Minimums = Readonly<Record<string, string>>;

/** The least that is paid at once, in minor units. */
export function minimumOf(minimums: Minimums, currency: string): bigint {
  const set = Object.hasOwn(minimums, currency) ? minimums[currency] : undefined;
  if (set !== undefined) return BigInt(set);
  return DEFAULT_MAJOR_UNITS * 10n ** BigInt(CURRENCY_EXPONENTS.get(currency) ?? 2);
}

/** A transfer of nothing, or of less, is none. */
export function isEnough(totalMinor: bigint, minimumMinor: bigint): boolean {
  return totalMinor > 0n && totalMinor >= minimumMinor;
}
