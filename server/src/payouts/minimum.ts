/** By currency, in minor units. */
export type Minimums = Readonly<Record<string, string>>;

/** The least that is paid at once, in minor units; 0 where none is set. */
export function minimumOf(minimums: Minimums, currency: string): bigint {
  return BigInt((Object.hasOwn(minimums, currency) && minimums[currency]) || '0');
}

/** A transfer of nothing, or of less, is none. */
export function isEnough(totalMinor: bigint, minimumMinor: bigint): boolean {
  return totalMinor > 0n && totalMinor >= minimumMinor;
}
