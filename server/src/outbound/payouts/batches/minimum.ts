/** By currency, in minor units. */
export type Minimums = Readonly<Record<string, string>>;

/** The smallest amount of a transfer, in minor units; 0 where none is set. */
export function minimumOf(minimums: Minimums, currency: string): bigint {
  return BigInt((Object.hasOwn(minimums, currency) && minimums[currency]) || '0');
}

/** The largest amount of a transfer that can be stored, in minor units: 18 digits. */
export const MAXIMUM_MINOR = 10n ** 18n - 1n;

/** A transfer must be positive. */
export function isEnough(totalMinor: bigint, minimumMinor: bigint): boolean {
  return totalMinor > 0n && totalMinor >= minimumMinor;
}
