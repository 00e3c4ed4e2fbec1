/** The version in force at a time: the highest of those in effect. */
export function versionInForce<T extends { version: number; effectiveAt: string }>(
  versions: readonly T[],
  nowMs: number,
): T | undefined {
  return versions
    .filter(({ effectiveAt }) => Date.parse(effectiveAt) <= nowMs)
    .reduce<T | undefined>(
      (best, one) => (best && best.version > one.version ? best : one),
      undefined,
    );
}
