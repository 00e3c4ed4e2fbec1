import type { Instant } from '../../../platform/kit/instant.ts';
import type { ScheduledVersion } from './defined-program.ts';

/** Versions that will be in effect. One that a higher version precedes or replaces never is. */
export function scheduledOf(
  versions: readonly ScheduledVersion[],
  now: Instant,
): ScheduledVersion[] {
  return versions
    .filter((one) => one.effectiveAt > now)
    .filter(
      (one) =>
        !versions.some(
          (other) => other.version > one.version && other.effectiveAt <= one.effectiveAt,
        ),
    )
    .map(({ version, effectiveAt }) => ({ version, effectiveAt }))
    .sort((a, b) => (a.effectiveAt < b.effectiveAt ? -1 : 1));
}
