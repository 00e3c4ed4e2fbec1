import type { Comparison } from '../../outbound/reconciliation/compare.ts';
import { type Difference, difference } from './finding.ts';

/** What the providers have otherwise than the store believes. What nobody could say differs in nothing. */
export function describeDrift(drift: readonly Comparison[]): Difference[] {
  return drift.flatMap(({ subject, id, method, believed, reported, verdict }) =>
    verdict === 'differs'
      ? [
          difference(subject, id, `delivered by ${method}`, {
            stored: believed,
            expected: reported,
          }),
        ]
      : [],
  );
}
